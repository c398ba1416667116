import { isDeepStrictEqual } from "node:util"
import { isNode, namedBy, type Node } from "./Document.ts"

const largestInt32 = 2 ** 31 - 1

const isNull = (schema: unknown): boolean => isNode(schema) && schema["type"] === "null"

/**
 * Makes status codes integers, marks 64-bit integers and decimals, which Go reads into 32 bits otherwise, and removes
 * constants of booleans.
 */
const asPlainType = (schema: Node): Node => {
  const { enum: words, ...rest } = schema
  const { maximum, type } = rest
  if (type === "boolean") return rest
  if (type === "number" && Array.isArray(words) && words.every(Number.isInteger)) return { ...schema, type: "integer" }
  if (type === "number") return { format: "double", ...schema }
  if (type === "integer" && typeof maximum === "number" && maximum > largestInt32) return { ...schema, format: "int64" }
  return schema
}

/** Merges `string or null` into one schema if the type is plain. */
const asNullable = (schema: Node): Node => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2 || !isNull(anyOf[1])) return schema
  const plain: unknown = anyOf[0]
  if (!isNode(plain) || typeof plain["type"] !== "string" || plain["type"] === "object" || "enum" in plain)
    return schema
  return { ...plain, ...rest, type: [plain["type"], "null"] }
}

/** Allows unknown keys: a new field breaks no client, and the server ignores unknown fields. */
const asOpen = (schema: Node): Node => {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

/** Declares an object without fields, which the generator describes as anything but null. */
const asObject = (schema: Node): Node => {
  const { not, ...rest } = schema
  return isNull(not) ? { ...rest, type: "object" } : schema
}

const isDigits = (schema: Node): boolean => schema["type"] === "string" && String(schema["pattern"]).includes("\\d")

/**
 * Reduces a schema to one form. The server also reads an id as text and a single value as a list, but clients send
 * numbers and lists.
 */
const asOneForm = (schema: Node): Node => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.every(isNode)) return schema
  const numbers = anyOf.some(({ type }) => type === "integer") ? anyOf.filter((each) => !isDigits(each)) : anyOf
  const list = numbers.find(({ type }) => type === "array")
  const forms = list === undefined ? numbers : numbers.filter((each) => !isDeepStrictEqual(each, list["items"]))
  if (forms.length === anyOf.length) return schema
  return forms.length === 1 ? { ...forms[0], ...rest } : { ...rest, anyOf: forms }
}

/**
 * Reduces a union of a list and a record to the record, because openapi-generator's client for java.net.http does not
 * compile with a list in a union.
 */
export const withoutList = (schema: Node): Node => {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || !anyOf.some(({ type }: Node) => type === "array")) return schema
  const record: unknown = anyOf.find(namedBy)
  return isNode(record) ? { ...rest, ...record } : schema
}

/** Simplifies a schema for client generators. */
export const plainSchema = (schema: Node): Node => asOpen(asPlainType(asNullable(asOneForm(asObject(schema)))))

const onlyWord = (schema: Node | undefined, property: string): string | undefined => {
  const properties = schema?.["properties"]
  const field = isNode(properties) ? properties[property] : undefined
  const words = isNode(field) ? field["enum"] : undefined
  return Array.isArray(words) && words.length === 1 && typeof words[0] === "string" ? words[0] : undefined
}

/** Fields that discriminate the records of a union. */
const discriminators = ["productType", "type", "status"]

/** Adds a discriminator to a union of named records that differ in a constant. */
export const withDiscriminator =
  (schemas: Readonly<Record<string, Node>>) =>
  (schema: Node): Node => {
    const { anyOf, ...rest } = schema
    if (!Array.isArray(anyOf)) return schema
    const members = anyOf.filter(isNode)
    const names = members.map(namedBy)
    for (const property of discriminators) {
      const words = names.map((name) => (name === undefined ? undefined : onlyWord(schemas[name], property)))
      if (words.some((word) => word === undefined) || new Set(words).size !== words.length) continue
      const mapping = Object.fromEntries(words.map((word, at) => [word, members[at]?.["$ref"]]))
      return { ...rest, oneOf: anyOf, discriminator: { propertyName: property, mapping } }
    }
    return schema
  }
