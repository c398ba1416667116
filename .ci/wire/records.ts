import {
  type Document,
  isNode,
  namedBy,
  type Operation,
  listOperations
} from "../../src/market/description/Document.ts"

/** Every record that a value names, itself or through others. */
const namesIn = (value: unknown, document: Document, found: Set<string>): Set<string> => {
  if (Array.isArray(value)) value.forEach((each) => namesIn(each, document, found))
  if (!isNode(value)) return found
  const name = namedBy(value)
  const record = name === undefined ? undefined : document.components.schemas[name]
  if (name !== undefined && record !== undefined && !found.has(name)) {
    found.add(name)
    namesIn(record, document, found)
  }
  for (const [key, each] of Object.entries(value)) if (key !== "discriminator") namesIn(each, document, found)
  return found
}

const answersOf = ({ responses }: Operation): ReadonlyArray<unknown> =>
  Object.entries(responses).flatMap(([status, response]) => (Number(status) < 400 ? [response.content] : []))

const sentBy = ({ parameters, requestBody }: Operation): ReadonlyArray<unknown> => [parameters, requestBody?.content]

/** Records that operations and events send or answer, errors apart. */
export const usedRecords = (document: Document): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { operation } of [...listOperations(document.paths), ...listOperations(document.webhooks ?? {})]) {
    namesIn([answersOf(operation), sentBy(operation)], document, found)
  }
  return found
}

/** Records that some request contains. */
export const sentRecords = (document: Document): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { operation } of listOperations(document.paths)) namesIn(sentBy(operation), document, found)
  return found
}
