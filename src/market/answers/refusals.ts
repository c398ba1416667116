import { NotFound, BadRequest } from "../../feed/contract/Errors.ts"
import { Schema, SchemaIssue } from "effect"

/** A 400 that names the field in message and data. Beyond the spec: section 2. */
export const badRequest = (field: string, why: string): BadRequest =>
  new BadRequest({ code: "BAD_REQUEST", status: 400, message: `${field}: ${why}`, data: { field } })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

/** Returns the path of the first field that a schema refuses, and why; no reason if the schema gives none. */
export const firstFault = (
  issue: SchemaIssue.Issue
): { readonly path: string; readonly reason: string | undefined } => {
  const [first] = formatIssues(issue).issues
  const path = (first?.path ?? []).map((key) => String(typeof key === "object" ? key.key : key)).join(".")
  const isUnknownKey = first?.message === "Expected no excess property"
  return { path, reason: isUnknownKey ? "there is no such field here" : first?.message }
}

const words = {
  gameId: ["GAME_NOT_FOUND", "game"],
  productId: ["PRODUCT_NOT_FOUND", "product"],
  expansionId: ["EXPANSION_NOT_FOUND", "expansion"]
} as const

/** A 404 with the id, a number for products and expansions. Beyond the spec: section 2, not-found answers. */
export const notFound = (field: keyof typeof words, id: string): NotFound => {
  const [code, word] = words[field]
  const data = { [field]: field === "gameId" ? id : Number(id) }
  return new NotFound({ code, status: 404, message: `No ${word} has the id ${id}`, data })
}

/** A 404 for things without an error code of their own. */
export const missing = (message: string, data: NotFound["data"] = {}): NotFound =>
  new NotFound({ code: "NOT_FOUND", status: 404, message, data })

/** A 404 for the id of something without an error code of its own. */
export const noSuch = (what: string, id: string, data: NotFound["data"] = {}): NotFound =>
  missing(`No ${what} has the id ${id}`, data)

/** The disk is full. The failed write changed nothing. */
export class DiskFull extends Schema.TaggedError<DiskFull>()("DiskFull", { folder: Schema.String }) {
  override get message() {
    return `The disk of ${this.folder} is full. Free some space there and try again`
  }
}

/** SQLite's error number for a full disk. */
const sqliteFull = 13
const fullCodes: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT"])

const isFull = (error: unknown): boolean => {
  if (typeof error !== "object" || error === null) return false
  if ("errcode" in error && error.errcode === sqliteFull) return true
  if ("code" in error && fullCodes.has(error.code)) return true
  return ("cause" in error && isFull(error.cause)) || ("reason" in error && isFull(error.reason))
}

/** Returns DiskFull if a write to `folder` failed for that reason, otherwise the error unchanged. */
export const writeFault = (error: unknown, folder: string): unknown =>
  isFull(error) ? new DiskFull({ folder }) : error
