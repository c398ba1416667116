import { Effect, Result } from "effect"
import { findAccount, isSeller } from "../accounts/accountRows.ts"
import { productsBySource } from "../catalogue/productsBySource.ts"
import { soldProducts } from "../catalogue/soldProducts.ts"
import { makeQuantityLog } from "../inventory/QuantityLog.ts"
import { State, type Transaction } from "../state/State.ts"
import { applyRow } from "./applyRow.ts"
import type { FileRow } from "./fileRows.ts"
import { type ImportRow, readImportRow, type RowRefused } from "./ImportRow.ts"
import type { JobRow } from "./JobRow.ts"
import { presetRow } from "./presets.ts"

const idsOf = (rows: ReadonlyArray<ImportRow>, source: "sourceEur" | "sourceUsd"): ReadonlyArray<number> =>
  rows.flatMap((row) => (row.productId === undefined && row[source] !== undefined ? [row[source]] : []))

/** Rows with the product that they are about: `productId` wins, a source's id also says the finish. */
const withProducts = Effect.fnUntraced(function* (rows: ReadonlyArray<ImportRow>) {
  const bySource = {
    sourceEur: yield* productsBySource("sourceEur", idsOf(rows, "sourceEur")),
    sourceUsd: yield* productsBySource("sourceUsd", idsOf(rows, "sourceUsd"))
  }
  const named = rows.map((row) => {
    if (row.productId !== undefined) return row
    const found =
      (row.sourceEur === undefined ? undefined : bySource.sourceEur.get(row.sourceEur)) ??
      (row.sourceUsd === undefined ? undefined : bySource.sourceUsd.get(row.sourceUsd))
    return found === undefined ? row : { ...row, productId: found.productId, finish: row.finish ?? found.finish }
  })
  const products = yield* soldProducts(named.flatMap(({ productId }) => productId ?? []))
  return named.map((row) => ({ row, product: row.productId === undefined ? undefined : products.get(row.productId) }))
})

const mentionIn = (tx: Transaction, job: JobRow) => (lineId: string) =>
  tx.run("insert into mentioned_lines values (:jobId, :lineId) on conflict do nothing", { jobId: job.id, lineId }) > 0

/** A row that cannot be read has named its line, too: `replace` leaves it alone. */
const mentionNamed = (
  tx: Transaction,
  job: JobRow,
  { mention, row }: { readonly row: FileRow | undefined; readonly mention: ((lineId: string) => boolean) | undefined }
) => {
  const customId = row?.["customId"]
  if (mention === undefined || typeof customId !== "string") return
  const line = tx.one<{ id: string }>(
    "select id from inventory_lines where account_id = :accountId and custom_id = :customId",
    { accountId: job.account_id, customId }
  )
  if (line !== undefined) mention(line.id)
}

/**
 * Applies rows of a file, of which `firstRow` is the number of the first one, in one
 * write together with the job's progress: after a kill the job continues after them.
 */
export const applyBatch = Effect.fnUntraced(function* (job: JobRow, rows: ReadonlyArray<FileRow>, firstRow: number) {
  const { write } = yield* State
  const read = rows.map((row) => readImportRow(job.preset === null ? row : presetRow(job.preset, row)))
  const found = yield* withProducts(read.flatMap((row) => (Result.isSuccess(row) ? [row.success] : [])))
  yield* write((tx) => {
    const seller = findAccount(tx, job.account_id)
    if (!isSeller(seller)) throw new Error(`The account ${job.account_id} does not sell`)
    const log = makeQuantityLog()
    const mention = job.mode === "replace" ? mentionIn(tx, job) : undefined
    let place = 0
    let failed = 0
    const refuse = (row: number, { code, message }: RowRefused) => {
      failed += 1
      tx.run("insert into failed_rows values (:jobId, :row, :code, :message)", { jobId: job.id, row, code, message })
    }
    for (const [at, row] of read.entries()) {
      if (Result.isFailure(row)) {
        mentionNamed(tx, job, { row: rows[at], mention })
        refuse(firstRow + at, row.failure)
        continue
      }
      const { product, row: asked = row.success } = found[place++] ?? {}
      const applied = applyRow({ tx, log, seller, mention }, asked, product)
      if (Result.isFailure(applied)) refuse(firstRow + at, applied.failure)
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
