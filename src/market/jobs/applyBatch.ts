import { Effect, Result } from "effect"
import { type Printed, productsByPrint, productsBySource } from "../catalogue/foundProducts.ts"
import { type SoldProduct, soldProducts } from "../catalogue/soldProducts.ts"
import { findByCustomId } from "../inventory/LineRow.ts"
import { makeQuantityLog } from "../inventory/putLine.ts"
import { checkSeller } from "../inventory/createLines.ts"
import { State, type Transaction } from "../state/State.ts"
import { applyRow } from "./applyRow.ts"
import { type FileRow, type NamedLine, namedLine, type ImportRow, readImportRow, type RowRefused } from "./ImportRow.ts"
import type { BatchRow } from "./fileRows.ts"
import type { ImportPreset } from "../contract/jobs/jobOperations.ts"
import type { JobRow } from "./JobRow.ts"
import { presetRow, printedName } from "./presets.ts"

/** A refused row of a `replace`: its line, and whether the catalogue has its product. */
interface RefusedRow {
  readonly number: number
  readonly named: NamedLine
  readonly isInCatalogue: boolean
}

/** Returns the products of the row's product id, if it exists or existed, and of the line that it identifies. */
const findProducts = (tx: Transaction, { account_id: accountId }: JobRow, { isInCatalogue, named }: RefusedRow) => {
  const products = new Set<number>()
  const productId = Number(named.productId)
  if (Number.isSafeInteger(productId)) {
    const sql =
      "select product_id from inventory_lines where account_id = :accountId and product_id = :productId limit 1"
    if (isInCatalogue || tx.one(sql, { accountId, productId }) !== undefined) products.add(productId)
  }
  if (named.customId !== undefined) {
    const line = findByCustomId(tx, accountId, named.customId)
    if (line !== undefined) products.add(line.product_id)
  }
  return [...products]
}

/**
 * Counts a refused row as mentioning every line of its product, which `replace` then leaves unchanged. If the product
 * is unknown, all lines are unchanged. Returns the row's message in the report.
 */
const spareLines = (tx: Transaction, job: JobRow, refused: RefusedRow): string => {
  const products = findProducts(tx, job, refused)
  if (products.length === 0) {
    tx.run("insert into unplaced_rows values (:jobId, :row) on conflict do nothing", {
      jobId: job.id,
      row: refused.number
    })
    return "no line is set to 0, because it is unknown which one the row means"
  }
  for (const productId of products) {
    tx.run("insert into spared_products values (:jobId, :productId) on conflict do nothing", {
      jobId: job.id,
      productId
    })
  }
  return `lines of product ${products.join(" and ")} are left as they are`
}

/** A row of the file with its product if the catalogue has it. */
interface PlacedRow {
  readonly read: Result.Result<ImportRow, RowRefused>
  readonly named: NamedLine
  readonly product: SoldProduct | undefined
}

const listExternalIds = (rows: ReadonlyArray<NamedLine>, source: "sourceEur" | "sourceUsd") =>
  rows.flatMap((named) => named[source] ?? [])

const plainFinish = "Standard"

/** Assigns the product of a printed name. Without that product, the row is refused. */
const placeByPrint = (read: PlacedRow["read"], line: NamedLine, printed: Printed) =>
  "missing" in printed
    ? {
        read: Result.flatMap(read, () => Result.fail({ code: "PRODUCT_NOT_FOUND", message: printed.missing })),
        named: line
      }
    : {
        read: Result.map(read, (row) => ({ ...row, productId: printed.productId })),
        named: { ...line, productId: printed.productId }
      }

/** Finds the products of rows. A source's id also gives a missing finish. */
const placeRows = Effect.fnUntraced(function* (rows: ReadonlyArray<FileRow | undefined>, preset: ImportPreset | null) {
  const byPrint = yield* productsByPrint(rows.flatMap((row) => printedName(preset, row) ?? []))
  const named = rows.map((row) => namedLine(row ?? {}))
  const bySource = {
    sourceEur: yield* productsBySource("sourceEur", listExternalIds(named, "sourceEur")),
    sourceUsd: yield* productsBySource("sourceUsd", listExternalIds(named, "sourceUsd"))
  }
  const placed = rows.map((row, at) => {
    const { sourceEur, sourceUsd, ...line } = named[at] ?? {}
    const found =
      (sourceEur === undefined ? undefined : bySource.sourceEur.get(sourceEur)) ??
      (sourceUsd === undefined ? undefined : bySource.sourceUsd.get(sourceUsd))
    const read = readImportRow(row)
    const printed = byPrint[at]
    if (printed !== undefined) return placeByPrint(read, line, printed)
    if (found === undefined) return { read, named: line }
    const { finish, productId } = found
    return { read: Result.map(read, (row) => ({ finish, ...row, productId })), named: { ...line, productId } }
  })
  const products = yield* soldProducts(placed.flatMap(({ named: { productId } }) => productId ?? []))
  return placed.map(({ named: line, read }, at): PlacedRow => {
    const product = line.productId === undefined ? undefined : products.get(line.productId)
    // A printed name has no finish, so a card not marked as foil is plain.
    const isPlain = byPrint[at] !== undefined && product?.finishes.includes(plainFinish) === true
    return { read: isPlain ? Result.map(read, (row) => ({ finish: plainFinish, ...row })) : read, named: line, product }
  })
})

const mentionIn = (tx: Transaction, job: JobRow) => (lineId: string) =>
  tx.run("insert into mentioned_lines values (:jobId, :lineId) on conflict do nothing", { jobId: job.id, lineId }) > 0

/** A message can contain a field as long as the row. */
const maxMessageLength = 300

/**
 * Applies rows from number `firstRow` on, and stores the job's progress in the same write. A job thus resumes after
 * them if it is killed.
 */
export const applyBatch = Effect.fnUntraced(function* (job: JobRow, rows: ReadonlyArray<BatchRow>, firstRow: number) {
  const { write } = yield* State
  const { preset } = job
  const placed = yield* placeRows(
    preset === null ? rows : rows.map((row) => (row === undefined ? undefined : presetRow(preset, row))),
    preset
  )
  yield* write((tx) => {
    const log = makeQuantityLog()
    const seller = checkSeller(tx, job.account_id)
    const mention = job.mode === "replace" ? mentionIn(tx, job) : undefined
    let failed = 0
    for (const [at, { named, product, read }] of placed.entries()) {
      const applied = Result.flatMap(read, (row) =>
        applyRow({ tx, log, accountId: job.account_id, seller, mention }, row, product)
      )
      if (Result.isSuccess(applied)) continue
      const { code, message } = applied.failure
      const number = firstRow + at
      const isInCatalogue = product !== undefined
      const left = mention === undefined ? "" : `; ${spareLines(tx, job, { number, named, isInCatalogue })}`
      tx.run("insert into failed_rows values (:jobId, :row, :code, :message)", {
        jobId: job.id,
        row: number,
        code,
        message: message.slice(0, maxMessageLength - left.length) + left
      })
      failed += 1
    }
    log.emit(tx, job.account_id, "import")
    tx.run(
      `update jobs set rows_done = rows_done + :rows, succeeded = succeeded + :rows - :failed, failed = failed + :failed
       where id = :id`,
      { id: job.id, rows: rows.length, failed }
    )
    return Result.succeed(undefined)
  })
})
