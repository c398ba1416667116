import { Result, Schema } from "effect"
import {
  type Condition,
  Condition as ConditionWord,
  GradedRequest,
  CustomId
} from "../contract/inventory/InventoryLine.ts"
import { limits } from "../contract/Limits.ts"
import { Money } from "../contract/Money.ts"

/** A row of an imported file by column. */
export type FileRow = Readonly<Record<string, unknown>>

/** The columns to read, and those that identify a row's line. A header must have one of the latter. */
export interface FileColumns {
  readonly read: ReadonlySet<string>
  readonly naming: ReadonlyArray<string>
}

/** True for a valid column value. Lists and objects are only read in `tags` and `graded`. */
export const isCell = (value: unknown): boolean =>
  value === undefined || value === null || ["string", "number", "boolean"].includes(typeof value)

/** Returns a cell's text. An empty CSV cell, JSON null and an invalid cell are absent. Numbers may be texts. */
export const readText = (value: unknown): string | undefined =>
  value === undefined || value === null || value === "" || !isCell(value) ? undefined : String(value)

export const isInteger = (text: string) => /^-?\d{1,16}$/.test(text)

export const idColumns = ["productId", "sourceEur", "sourceUsd"] as const

/** The line that a row identifies, as far as it is readable, even if the rest is not. */
export interface NamedLine {
  readonly productId?: string
  readonly sourceEur?: number
  readonly sourceUsd?: number
  readonly customId?: string
}

/** Reads the identity of a row's line. `productId` has precedence over a source's id. */
export const namedLine = (row: FileRow): NamedLine => {
  const [productId, sourceEur, sourceUsd] = idColumns.map((column) => {
    const id = readText(row[column])
    return id !== undefined && isInteger(id) ? BigInt(id).toString() : undefined
  })
  const customId = readText(row["customId"])
  return {
    ...(productId === undefined ? {} : { productId }),
    ...(productId === undefined && sourceEur !== undefined ? { sourceEur: Number(sourceEur) } : {}),
    ...(productId === undefined && sourceUsd !== undefined ? { sourceUsd: Number(sourceUsd) } : {}),
    ...(customId === undefined ? {} : { customId })
  }
}

/** A row of an imported file. An absent field retains the line's value. Beyond the spec: section 11. */
export interface ImportRow {
  readonly productId?: string
  readonly sourceEur?: number
  readonly sourceUsd?: number
  readonly finish?: string
  readonly condition?: Condition
  readonly language?: string
  readonly quantity?: number
  readonly graded?: typeof GradedRequest.Type
  readonly customId?: string
  readonly comment?: string
  readonly notes?: string
  readonly location?: string
  readonly tags?: ReadonlyArray<string>
  readonly price?: Money
}

/** The reason in the report why a row was not imported. */
export interface RowRefused {
  readonly code: string
  readonly message: string
}

const invalid = (column: string, why: string): RowRefused => ({ code: "INVALID_ROW", message: `${column}: ${why}` })

const textColumns = ["comment", "notes", "finish", "language", "location"] as const
const cellColumns = [
  ...idColumns,
  "customId",
  "quantity",
  "condition",
  ...textColumns,
  "gradedGradingService",
  "gradedGrade",
  "gradedCertification",
  "listingPrice",
  "listingCurrency"
] as const

/** The columns of an imported file. Others are ignored. */
export const importColumns: FileColumns = {
  read: new Set([...cellColumns, "graded", "tags"]),
  naming: [...idColumns, "customId"]
}

const isCondition = Schema.is(ConditionWord)
const isCustomId = Schema.is(CustomId)
const isMoney = Schema.is(Money)
const isGraded = Schema.is(GradedRequest)
const isText = Schema.is(Schema.String.check(Schema.isMaxCodePoints(limits.textLength)))
/** Reads tags: one comma-separated cell in CSV, a list in JSON. */
const readTags = (value: unknown): Result.Result<ReadonlyArray<string> | undefined, RowRefused> => {
  const cells: ReadonlyArray<unknown> = Array.isArray(value) ? value : (readText(value)?.split(",") ?? [])
  if (!cells.every(isCell) || !(Array.isArray(value) || isCell(value))) {
    return Result.fail(invalid("tags", "expected a list of texts"))
  }
  const texts = cells.map((cell) => readText(cell)?.trim() ?? "").filter((text) => text !== "")
  if (texts.length > limits.tagsPerLine) return Result.fail(invalid("tags", `expected up to ${limits.tagsPerLine}`))
  return Result.succeed(readText(value) === undefined && !Array.isArray(value) ? undefined : texts)
}

/** Reads a slab: three columns in CSV, an object in JSON. */
const readSlab = (row: FileRow): Readonly<Record<string, unknown>> | undefined => {
  const { graded } = row
  if (typeof graded === "object" && graded !== null) return { ...graded }
  const grade = readText(row["gradedGrade"])
  const gradingService = readText(row["gradedGradingService"])
  if (grade === undefined && gradingService === undefined) return undefined
  return { gradingService, grade, certification: readText(row["gradedCertification"]) ?? null }
}

const notAnObject: RowRefused = { code: "INVALID_ROW", message: "the row is not an object" }

/** Reads a row, or fails at the first invalid column. Unknown columns are ignored. */
export const readImportRow = (row: FileRow | undefined): Result.Result<ImportRow, RowRefused> => {
  if (row === undefined) return Result.fail(notAnObject)
  const invalidColumn = cellColumns.find((column) => !isCell(row[column]))
  if (invalidColumn !== undefined) return Result.fail(invalid(invalidColumn, "expected text or a number"))
  const read: Record<string, unknown> = {}
  for (const column of idColumns) {
    const id = readText(row[column])
    if (id === undefined) continue
    if (!isInteger(id)) return Result.fail(invalid(column, `expected an integer, got ${id.slice(0, 40)}`))
    read[column] = column === "productId" ? BigInt(id).toString() : Number(id)
  }
  const quantity = readText(row["quantity"])
  if (quantity !== undefined) {
    const units = Number(quantity)
    if (!Number.isSafeInteger(units) || units < 0) {
      return Result.fail({
        code: "INVALID_QUANTITY",
        message: `quantity: expected 0 or more, got ${quantity.slice(0, 40)}`
      })
    }
    read["quantity"] = units
  }
  const condition = readText(row["condition"])
  if (condition !== undefined && !isCondition(condition)) {
    return Result.fail(invalid("condition", "expected NM, LP, MP, HP or DMG"))
  }
  const customId = readText(row["customId"])
  if (customId !== undefined && !isCustomId(customId)) {
    return Result.fail(invalid("customId", `expected 1 to ${limits.customIdLength} letters`))
  }
  for (const column of textColumns) {
    const text = readText(row[column])
    if (text !== undefined && !isText(text))
      return Result.fail(invalid(column, `expected ${limits.textLength} letters`))
    if (text !== undefined) read[column] = text
  }
  const slab = readSlab(row)
  if (slab !== undefined && !isGraded(slab))
    return Result.fail(invalid("graded", "names no known grading service or grade"))
  const [amount, currency] = [readText(row["listingPrice"]), readText(row["listingCurrency"])]
  if ((amount === undefined) !== (currency === undefined)) {
    return Result.fail(invalid("listingPrice", "comes together with listingCurrency"))
  }
  const price = amount === undefined ? undefined : { amount: Number(amount), currency }
  if (price !== undefined && !isMoney(price)) {
    return Result.fail(invalid("listingPrice", "expected at most two decimals and a currency of the marketplace"))
  }
  const tags = readTags(row["tags"])
  if (Result.isFailure(tags)) return Result.fail(tags.failure)
  const rest = { condition, customId, graded: slab, price, tags: tags.success }
  for (const [field, value] of Object.entries(rest)) if (value !== undefined) read[field] = value
  return Result.succeed(read)
}
