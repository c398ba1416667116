import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { readFileSync } from "node:fs"
import { pageHeaders, pageStyles } from "../../desk/pages/everyPage.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { originOf } from "../answers/plainRequest.ts"
import { type Document, operationsOf, type Placed } from "./Document.ts"
import { controlDocument, marketplaceDocument } from "./documents.ts"
import { html, type Html, pageHead } from "../../desk/pages/html.ts"
import { sandboxPage } from "../answers/sandboxPage.ts"
import { paragraphs, operationText, recordText } from "./operationText.ts"

interface Part {
  readonly title: string
  readonly address: string
  readonly document: Document
}

const group = (part: Part, title: string, placed: ReadonlyArray<Placed>, origin: string): Html | false =>
  placed.length > 0 &&
  html`<section>
    <h3>${title}</h3>
    ${placed.map((each) => operationText(part.document, each, origin))}
  </section>`

const partText = (part: Part, origin: string, shownBefore: ReadonlySet<string>): Html => {
  const { address, document, title } = part
  const operations = operationsOf(document.paths)
  const records = Object.entries(document.components.schemas)
    .filter(([name]) => !shownBefore.has(name))
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  const ofTag = (tag: string) => operations.filter(({ operation }) => operation.tags.includes(tag))
  return html`<h2>${title}</h2>
    <p>For generators of clients: <a href="${address}">${address}</a>, OpenAPI ${document.openapi}.</p>
    ${paragraphs(document.info.description ?? "")}
    ${document.tags.map(({ name }) => group(part, name, ofTag(name), origin))}
    ${group(part, "Events", operationsOf(document.webhooks ?? {}), origin)}
    <section>
      <h3>Records</h3>
      ${records.map(([name, schema]) => recordText(name, schema))}
    </section>`
}

const recordsOf = (parts: ReadonlyArray<Part>): ReadonlySet<string> =>
  new Set(parts.flatMap(({ document }) => Object.keys(document.components.schemas)))

/** Both documents for people to read: one page without scripts. */
const docsPage = (parts: ReadonlyArray<Part>, origin: string): string =>
  sandboxPage({
    title: "API",
    path: "/docs",
    styles: "/docs/docs.css",
    body: html`${pageHead("Sandbox", "API")}
      <div class="docs">${parts.map((part, at) => partText(part, origin, recordsOf(parts.slice(0, at))))}</div>`
  })

const served = (document: () => Document, origin: string): Document => {
  const { info, openapi, ...rest } = document()
  return { openapi, info, servers: [{ url: origin, description: "This sandbox" }], ...rest }
}

const documentRoute = (path: `/${string}`, document: () => Document) =>
  HttpRouter.add(
    "GET",
    path,
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) =>
      Effect.flatMap(originOf, (origin) => jsonAnswer(request, JSON.stringify(served(document, origin))))
    )
  )

const headers = { ...pageHeaders, "cache-control": "no-cache" }

const styles = () => [...pageStyles(), readFileSync(new URL("./docs.css", import.meta.url), "utf8")].join("\n")

const page = Effect.map(originOf, (origin) =>
  HttpServerResponse.text(
    docsPage(
      [
        { title: "Marketplace", address: "/openapi.json", document: marketplaceDocument() },
        { title: "Control routes", address: "/sandbox/openapi.json", document: controlDocument() }
      ],
      origin
    ),
    { contentType: "text/html; charset=utf-8", headers }
  )
)

/** The contract for programs and for people. Without a key. */
export const descriptionRoutes = Layer.mergeAll(
  documentRoute("/openapi.json", marketplaceDocument),
  HttpRouter.add("GET", "/docs", page),
  HttpRouter.add(
    "GET",
    "/docs/docs.css",
    HttpServerResponse.text(styles(), { contentType: "text/css; charset=utf-8", headers })
  ),
  HttpRouter.add("GET", "/", HttpServerResponse.redirect("/docs"))
)

/** That of the control routes, which answers whom they answer. */
export const controlDescription = documentRoute("/sandbox/openapi.json", controlDocument)
