import { isDeepStrictEqual } from "node:util"
import { type Document, eachNode, namedBy, refTo } from "./Document.ts"

/** The document with other names for its records. */
const renamed = (document: Document, nameOf: (name: string) => string): Document => {
  const made = eachNode(document, (node) => {
    const name = namedBy(node)
    return name === undefined ? node : { ...node, ...refTo(nameOf(name)) }
  })
  made.components.schemas = Object.fromEntries(
    Object.entries(made.components.schemas).map(([name, schema]) => [nameOf(name), schema])
  )
  return made
}

/** Records that two places of the contract make, such as pages of one item, have one name: `SalePage_1` is `SalePage`. */
const merged = (document: Document): Document => {
  const { schemas } = document.components
  const twins = new Map<string, string>()
  for (const [name, schema] of Object.entries(schemas)) {
    const [, first = ""] = /^(.*)_\d+$/.exec(name) ?? []
    if (first !== "" && isDeepStrictEqual(schema, schemas[first])) twins.set(name, first)
  }
  // What refers to a twin may be one, too, as soon as both refer to the same.
  return twins.size === 0 ? document : merged(renamed(document, (name) => twins.get(name) ?? name))
}

/** Errors are made of classes, whose wire form the generator gives a name of its own. */
const withoutEncoded = (name: string): string => name.replace(/Encoded$/, "")

export const nameRecords = (document: Document): Document => merged(renamed(document, withoutEncoded))
