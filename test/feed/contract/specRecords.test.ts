import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { records } from "./specRecords.ts"

interface JsonSchema {
  readonly type?: string
  readonly enum?: ReadonlyArray<string>
  readonly const?: string
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: ReadonlyArray<string>
  readonly items?: JsonSchema
  readonly anyOf?: ReadonlyArray<JsonSchema>
}

const notNull = (schema: JsonSchema): JsonSchema => schema.anyOf?.find(({ type }) => type !== "null") ?? schema
const isNullable = ({ anyOf = [] }: JsonSchema) => anyOf.some(({ type }) => type === "null")

const wordOf = (schema: JsonSchema): string => {
  if (schema.enum !== undefined) return schema.enum.join("/")
  const keys = Object.keys(schema.properties ?? {})
  if (keys.join() === "amount,currency") return "Money"
  return schema.type === "array" ? `${wordOf(schema.items ?? {})}[]` : (schema.type ?? "")
}

/** `key?` may be missing or null; `type?` is always there, and may be null. */
const fieldsOf = ({ properties = {}, required = [] }: JsonSchema) =>
  Object.entries(properties).map(([key, schema]) =>
    required.includes(key)
      ? `${key}: ${wordOf(notNull(schema))}${isNullable(schema) ? "?" : ""}`
      : `${key}?: ${wordOf(notNull(schema))}`
  )

/** The JSON Schema of a record, or of an object in it: `data.changes[]`. */
const schemaAt = (record: Schema.Top, path: string): JsonSchema => {
  let schema = Schema.toJsonSchemaDocument(record).schema as JsonSchema
  for (const key of path.split(".").filter((each) => each !== "")) {
    const inner = notNull(schema.properties?.[key.replace("[]", "")] ?? {})
    schema = key.endsWith("[]") ? notNull(inner.items ?? {}) : inner
  }
  return schema
}

describe("a record of the contract has the fields that the specification gives it", () => {
  for (const [name, record, path, fields] of records) {
    it(`of ${name}`, () => assert.includeMembers(fieldsOf(schemaAt(record, path)), [...fields]))
  }
})
