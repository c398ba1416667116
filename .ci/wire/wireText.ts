import { type Document, isNode, type Node, listOperations } from "../../src/market/description/Document.ts"
import { operationsText, queryText } from "./operations.ts"
import { sentRecords, usedRecords } from "./records.ts"
import { comment, fieldsText, typeText } from "./typeText.ts"

const head = `// Generated from the contract by: node .ci/wire/write.ts
import type { Upload } from "./Upload.ts"
`

const recordText = (name: string, schema: Node, isSent: boolean): string => {
  const said = comment(schema["description"])
  return isNode(schema["properties"])
    ? `\n${said}export interface ${name} {\n${fieldsText(schema, { isSent }, "  ")}}\n`
    : `\n${said}export type ${name} = ${typeText(schema, { isSent })}\n`
}

const eventsText = ({ webhooks = {} }: Document): string => {
  const names = listOperations(webhooks).map(({ operation }) => {
    const [body] = Object.values(operation.requestBody?.content ?? {})
    return typeText(body?.schema ?? {}, { isSent: false })
  })
  return `\n/** An event as a webhook delivers it; \`type\` says which. */\nexport type MarketEvent = ${names.join(" | ")}\n`
}

/** By code, what an error's `data` has. */
const errorsText = (document: Document): string => {
  const data = new Map<string, Set<string>>()
  for (const { operation } of listOperations(document.paths)) {
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

/** The text of `src/market/sdk/wire.ts`: every record, query, event and error that the contract has. */
export const wireText = (document: Document): string => {
  const used = usedRecords(document)
  const sent = sentRecords(document)
  const records = Object.entries(document.components.schemas)
    .filter(([name]) => used.has(name))
    .map(([name, schema]) => recordText(name, schema, sent.has(name)))
  const queries = listOperations(document.paths).map(queryText)
  return [head, ...records, ...queries, eventsText(document), errorsText(document), operationsText(document)].join("")
}
