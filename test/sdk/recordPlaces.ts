import {
  type Document,
  isNode,
  namedBy,
  type Operation,
  operationsOf,
  type Placed
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

/** Operations and events, each with the tag that it has in the document. */
export const everyOperation = (document: Document): ReadonlyArray<Placed> => [
  ...operationsOf(document.paths),
  ...operationsOf(document.webhooks ?? {})
]

/** A record is in the file of the tags that use it: whatever a record names is then in its file or a wider one. */
const fileNames: Readonly<Record<string, string>> = {
  webhooks: "events",
  "purchases sales": "orders",
  "inventory listings": "stock"
}

const fileOf = (tags: ReadonlySet<string>): string => {
  const place = [...tags].sort().join(" ")
  return fileNames[place] ?? (tags.size === 1 ? place : "shared")
}

/** The file of every record that is sent or answered, errors apart. */
export const recordPlaces = (document: Document): ReadonlyMap<string, string> => {
  const tagsOf = new Map<string, Set<string>>()
  for (const { operation } of everyOperation(document)) {
    const [tag = ""] = operation.tags
    for (const name of namesIn([answersOf(operation), sentBy(operation)], document, new Set())) {
      tagsOf.set(name, (tagsOf.get(name) ?? new Set()).add(tag))
    }
  }
  return new Map(Array.from(tagsOf, ([name, tags]) => [name, fileOf(tags)]))
}

/** Records that a request has somewhere in it. */
export const sentRecords = (document: Document): ReadonlySet<string> => {
  const found = new Set<string>()
  for (const { operation } of operationsOf(document.paths)) namesIn(sentBy(operation), document, found)
  return found
}
