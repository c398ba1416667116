import { type Schema, SchemaIssue, SchemaParser } from "effect"

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** People read reasons, so they are never ten megabytes long. */
const maxReasonLength = 300

const valueAt = (record: unknown, path: ReadonlyArray<unknown>): unknown => {
  const keys = path.map((part) => String(isObject(part) ? part["key"] : part))
  return keys.reduce<unknown>(
    (at, key) => (isObject(at) ? Object.getOwnPropertyDescriptor(at, key)?.value : undefined),
    record
  )
}

/** People see at a glance what is there instead: a value, or what kind of one. */
const found = (value: unknown): string => {
  if (Array.isArray(value)) return "a list"
  if (isObject(value)) return "an object"
  if (value === undefined) return "nothing"
  return typeof value === "string" ? JSON.stringify(value.slice(0, 60).toWellFormed()) : String(value)
}

export const foundAt = (record: unknown, path: ReadonlyArray<unknown>): string => found(valueAt(record, path))

/** Path and reason of the first fault of a value that a schema rejects. */
export const schemaFault = (schema: Schema.Codec<unknown, unknown>) => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  return (record: unknown): { readonly path: string; readonly reason: string } => {
    const result = decode(record)
    if (result._tag === "Success") return { path: "", reason: "Refused by the contract" }
    const [first] = formatIssue(result.failure).issues
    const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    const expected = (first?.message ?? "Refused by the contract").slice(0, maxReasonLength)
    const value = valueAt(record, first?.path ?? [])
    // A number whose double is another one.
    if (typeof value === "symbol")
      return { path, reason: `More digits than a number carries exactly: ${value.description?.slice(0, 60)}` }
    const isDescribed = first === undefined || !expected.startsWith("Expected ")
    return { path, reason: isDescribed ? expected : `${expected}, got ${found(value)}` }
  }
}

/** True if a dialect file can correct such a fault, because the value is missing, or may be inside the received one. */
export const canBeElsewhere = (reason: string): boolean => /^Missing key|, got (?:nothing|an object)$/.test(reason)
