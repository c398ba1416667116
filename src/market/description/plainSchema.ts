import { isDeepStrictEqual } from "node:util"
import { isNode, namedBy, type Node } from "./Document.ts"

const largestInt32 = 2 ** 31 - 1

const isNull = (schema: unknown): boolean => isNode(schema) && schema["type"] === "null"

/** A status code is a whole number, one beyond 32 bits says so, and generators know no boolean that is always true. */
const asPlainType = (schema: Node): Node => {
  const { enum: words, ...rest } = schema
  const { maximum, type } = rest
  if (type === "boolean") return rest
  if (type === "number" && Array.isArray(words) && words.every(Number.isInteger)) return { ...schema, type: "integer" }
  if (type === "integer" && typeof maximum === "number" && maximum > largestInt32) return { ...schema, format: "int64" }
  return schema
}

/** `string or null` in one schema, where it is a plain type. */
const asNullable = (schema: Node): Node => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const plain: unknown = anyOf[0]
  if (!isNode(plain) || typeof plain["type"] !== "string" || plain["type"] === "object" || "enum" in plain)
    return schema
  return { ...plain, ...rest, type: [plain["type"], "null"] }
}

/** A new field breaks no client, and the server ignores what it does not know. */
const asOpen = (schema: Node): Node => {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

/** The generator writes an object without fields as anything but null. */
const asObject = (schema: Node): Node => {
  const { not, ...rest } = schema
  return isNull(not) ? { ...rest, type: "object" } : schema
}

const isDigits = (schema: Node): boolean => schema["type"] === "string" && String(schema["pattern"]).includes("\\d")

/** The server reads an id as text, too, and one value as a list of one. A generated client has one form: numbers, lists. */
const asOneForm = (schema: Node): Node => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(isNode)) return schema
  const numbers = anyOf.some(({ type }) => type === "integer") ? anyOf.filter((each) => !isDigits(each)) : anyOf
  const list = numbers.find(({ type }) => type === "array")
  const forms = list === undefined ? numbers : numbers.filter((each) => !isDeepStrictEqual(each, list["items"]))
  if (forms.length === anyOf.length) return schema
  return forms.length === 1 ? { ...forms[0], ...rest } : { ...rest, anyOf: forms }
}

/** A schema in the words that generators of clients understand. */
export const plainSchema = (schema: Node): Node => asOpen(asPlainType(asNullable(asOneForm(asObject(schema)))))

const onlyWord = (schema: Node | undefined, property: string): string | undefined => {
  const properties = schema?.["properties"]
  const field = isNode(properties) ? properties[property] : undefined
  const words = isNode(field) ? field["enum"] : undefined
  return Array.isArray(words) && words.length === 1 && typeof words[0] === "string" ? words[0] : undefined
}

/** Fields that tell the records of a union apart. */
const tellers = ["productType", "type", "status"]

/** A union of named records that differ in a constant says by which. */
export const withDiscriminator =
  (schemas: Readonly<Record<string, Node>>) =>
  (schema: Node): Node => {
    const { anyOf, ...rest } = schema
    if (!Array.isArray(anyOf)) return schema
    const members = anyOf.filter(isNode)
    const names = members.map(namedBy)
    for (const property of tellers) {
      const words = names.map((name) => (name === undefined ? undefined : onlyWord(schemas[name], property)))
      if (words.some((word) => word === undefined) || new Set(words).size !== words.length) continue
      const mapping = Object.fromEntries(words.map((word, at) => [word, members[at]?.["$ref"]]))
      return { ...rest, oneOf: anyOf, discriminator: { propertyName: property, mapping } }
    }
    return schema
  }
