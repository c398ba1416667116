import { type Document, operationsOf, type Placed } from "./Document.ts"
import { paragraphs, shown } from "./markup.ts"
import { operationText, recordText } from "./operationText.ts"

interface Part {
  readonly title: string
  readonly address: string
  readonly document: Document
}

const group = (part: Part, title: string, placed: ReadonlyArray<Placed>, origin: string): string =>
  placed.length === 0
    ? ""
    : `<section><h3>${shown(title)}</h3>${placed.map((each) => operationText(part.document, each, origin)).join("")}</section>`

const partText = (part: Part, origin: string, shownBefore: ReadonlySet<string>): string => {
  const { address, document, title } = part
  const operations = operationsOf(document.paths)
  return `<h2>${shown(title)}</h2>
<p>For generators of clients: <a href="${address}">${address}</a>, OpenAPI ${shown(document.openapi)}.</p>
${paragraphs(document.info.description ?? "")}
${document.tags
  .map(({ name }) =>
    group(
      part,
      name,
      operations.filter(({ operation }) => operation.tags.includes(name)),
      origin
    )
  )
  .join("")}
${group(part, "Events", operationsOf(document.webhooks ?? {}), origin)}
<section><h3>Records</h3>${Object.entries(document.components.schemas)
    .filter(([name]) => !shownBefore.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, schema]) => recordText(name, schema))
    .join("")}</section>`
}

const recordsOf = (parts: ReadonlyArray<Part>): ReadonlySet<string> =>
  new Set(parts.flatMap(({ document }) => Object.keys(document.components.schemas)))

/** Both documents for people to read: one page without scripts. */
export const docsPage = (parts: ReadonlyArray<Part>, origin: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API of the sandbox</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/docs/docs.css">
</head>
<body>
<header><h1>API of the sandbox</h1><p><a href="/sandbox">Control room</a></p></header>
<main>${parts.map((part, at) => partText(part, origin, recordsOf(parts.slice(0, at)))).join("\n")}</main>
</body>
</html>
`
