import { type Schema, SchemaIssue, SchemaParser } from "effect"

const formatIssue = SchemaIssue.makeFormatterStandardSchemaV1()

/** People read reasons, so they are never ten megabytes long. */
const maxReasonLength = 300

/** Path and reason of the first fault of a value that a schema rejects. */
export const schemaFault = (schema: Schema.Codec<unknown, unknown>) => {
  const decode = SchemaParser.decodeUnknownResult(schema)
  return (value: unknown): { readonly path: string; readonly reason: string } => {
    const result = decode(value)
    if (result._tag === "Success") return { path: "", reason: "Refused by the contract" }
    const [first] = formatIssue(result.failure).issues
    const path = (first?.path ?? []).map((part) => String(typeof part === "object" ? part.key : part)).join(".")
    return { path, reason: (first?.message ?? "Refused by the contract").slice(0, maxReasonLength) }
  }
}
