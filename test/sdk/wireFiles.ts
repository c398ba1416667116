import {
  type Document,
  isNode,
  namedBy,
  type Node,
  operationsOf,
  type Placed
} from "../../src/market/description/Document.ts"
import { everyOperation, recordPlaces, sentRecords } from "./recordPlaces.ts"
import { comment, fieldsText, typeText } from "./typeText.ts"
import { operationsText, queryText } from "./wireOperations.ts"

const head = "// Generated from the contract by: node test/sdk/writeWire.ts\n"

const recordText = (name: string, schema: Node, isSent: boolean): string => {
  const said = comment(schema["description"])
  return isNode(schema["properties"])
    ? `\n${said}export interface ${name} {\n${fieldsText(schema, { isSent }, "  ")}}\n`
    : `\n${said}export type ${name} = ${typeText(schema, { isSent })}\n`
}

/** The imports of what a text names and its own file does not have. */
const importsOf = (text: string, file: string, places: ReadonlyMap<string, string>): string => {
  const code = text.replaceAll(/\/\*\*.*?\*\//g, "").replaceAll(/"[^"\n]*"/g, "")
  const named = new Set(code.match(/\b[A-Z]\w+\b/g))
  const from = Map.groupBy(
    [...places].filter(([name, place]) => named.has(name) && place !== file),
    ([, place]) => place
  )
  return [...from]
    .sort(([one], [other]) => one.localeCompare(other))
    .map(([place, names]) => {
      const list = names.map(([name]) => name).sort()
      return `import type { ${list.join(", ")} } from "./${place}.ts"\n`
    })
    .join("")
}

const eventsText = ({ webhooks = {} }: Document): string => {
  const names = operationsOf(webhooks).map(({ operation }) => {
    const [body] = Object.values(operation.requestBody?.content ?? {})
    return namedBy(body?.schema ?? {})
  })
  return `\n/** An event as a webhook delivers it; \`type\` says which. */\nexport type MarketEvent = ${names.join(" | ")}\n`
}

/** By code, what an error's `data` has. */
const errorsText = (document: Document): string => {
  const data = new Map<string, Set<string>>()
  for (const { operation } of operationsOf(document.paths)) {
    for (const [status, { content = {} }] of Object.entries(operation.responses)) {
      if (Number(status) < 400) continue
      for (const name of JSON.stringify(content).matchAll(/#\/components\/schemas\/(\w+)/g)) {
        const { properties } = document.components.schemas[name[1] ?? ""] ?? {}
        if (!isNode(properties) || !isNode(properties["code"]) || !isNode(properties["data"])) continue
        const type = typeText(properties["data"], { isSent: false }, "  ")
        for (const code of properties["code"]["enum"] as ReadonlyArray<string>) {
          data.set(code, (data.get(code) ?? new Set()).add(type))
        }
      }
    }
  }
  const fields = [...data].sort(([one], [other]) => one.localeCompare(other))
  return `
/** By code, what the marketplace says beside it. */
export interface ErrorData {
${fields.map(([code, types]) => `  ${code}: ${[...types].join(" | ")}`).join("\n")}
}

/** What the marketplace refuses requests with. */
export type ErrorCode = keyof ErrorData
`
}

/** The files of `src/sdk/wire` by name, as the contract has them. */
export const wireFiles = (document: Document): ReadonlyMap<string, string> => {
  const places = recordPlaces(document)
  const sent = sentRecords(document)
  const texts = new Map<string, string>()
  const add = (file: string, text: string) => texts.set(file, (texts.get(file) ?? "") + text)
  for (const [name, schema] of Object.entries(document.components.schemas)) {
    const file = places.get(name)
    if (file !== undefined) add(file, recordText(name, schema, sent.has(name)))
  }
  const queries: Array<readonly [string, string]> = []
  for (const placed of everyOperation(document) satisfies ReadonlyArray<Placed>) {
    const [tag = ""] = placed.operation.tags
    const text = queryText(placed)
    const [, name] = /interface (\w+)/.exec(text) ?? []
    if (name === undefined) continue
    queries.push([name, tag])
    add(tag, text)
  }
  add("events", eventsText(document))
  add("errors", errorsText(document))
  add("operations", operationsText(document))
  const all = new Map([...places, ...queries])
  return new Map(
    Array.from(texts, ([file, text]) => {
      const upload = /\bUpload\b/.test(text) ? 'import type { Upload } from "../Upload.ts"\n' : ""
      return [`${file}.ts`, head + upload + importsOf(text, file, all) + text]
    })
  )
}
