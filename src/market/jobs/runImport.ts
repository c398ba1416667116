import { Effect, Result, Stream } from "effect"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { setImmediate } from "node:timers/promises"
import { limits } from "../contract/Limits.ts"
import { Files } from "../files/Files.ts"
import type { LineRow } from "../inventory/LineRow.ts"
import { setQuantity } from "../inventory/putLine.ts"
import { makeQuantityLog } from "../inventory/QuantityLog.ts"
import { State } from "../state/State.ts"
import type { Store } from "../state/Store.ts"
import { applyBatch } from "./applyBatch.ts"
import { brokenFile } from "./BrokenFile.ts"
import { endJob } from "./endJob.ts"
import { fileRows } from "./fileRows.ts"
import type { JobRow } from "./JobRow.ts"

/** Lets requests through between two batches. */
const pause = Effect.promise(() => setImmediate())

const batches = (path: string, job: JobRow) => Stream.fromAsyncIterable(fileRows(path, job.format), brokenFile)

/** Reads the whole file once, so that a broken one changes nothing, and the rows are counted. */
const countRows = Effect.fnUntraced(function* (path: string, job: JobRow) {
  const { write } = yield* State
  const total = yield* Stream.runFold(
    Stream.mapEffect(batches(path, job), (rows) => Effect.as(pause, rows.length)),
    () => 0,
    (sum, rows) => sum + rows
  )
  yield* write((tx) =>
    Result.succeed(
      tx.run("update jobs set status = 'processing', total = :total where id = :id", { id: job.id, total })
    )
  )
})

const applyRows = (path: string, job: JobRow) => {
  let row = 0
  return Stream.runForEach(batches(path, job), (rows) => {
    const first = row + 1
    row += rows.length
    // Applied before the sandbox was stopped.
    if (row <= job.rows_done) return Effect.void
    return Effect.andThen(applyBatch(job, rows, first), pause)
  })
}

const unmentioned = `select * from inventory_lines line where account_id = :accountId and quantity > 0 and id < :jobId
  and not exists (select 1 from mentioned_lines where job_id = :jobId and line_id = line.id) limit :most`

/** `replace`: lines from before the import that the file does not mention are set to zero. */
const zeroUnmentioned = Effect.fnUntraced(function* ({ account_id: accountId, id: jobId }: JobRow) {
  const { write } = yield* State
  const zeroSome = write((tx) => {
    const lines = tx.all<LineRow>(unmentioned, { accountId, jobId, most: limits.changesPerEvent })
    const log = makeQuantityLog()
    for (const line of lines) setQuantity({ tx, log }, line, 0)
    log.emit(tx, accountId, "import")
    return Result.succeed(lines.length)
  })
  while ((yield* zeroSome) > 0) yield* pause
})

const reportText = function* (store: Store, jobId: string) {
  let after = 0
  for (;;) {
    const rows = store.all<{ row: number; code: string; message: string }>(
      "select row, code, message from failed_rows where job_id = :jobId and row > :after order by row limit 1000",
      { jobId, after }
    )
    if (rows.length === 0) break
    yield (after === 0 ? "[\n" : ",\n") + rows.map((row) => JSON.stringify(row)).join(",\n")
    after = rows.at(-1)?.row ?? after
  }
  yield "\n]\n"
}

/** The rows that were not imported, as a file; undefined when all were. */
const writeReport = Effect.fnUntraced(function* (job: JobRow) {
  const { store, write } = yield* State
  const files = yield* Files
  if (store.one("select 1 from failed_rows where job_id = :id limit 1", { id: job.id }) === undefined) return undefined
  const id = yield* write((tx) => Result.succeed(tx.newId()))
  yield* Effect.promise(() => pipeline(Readable.from(reportText(store, job.id)), createWriteStream(files.path(id))))
  return id
})

/** Imports the file of a job, from where it was left. Fails when the file is broken. */
export const runImport = Effect.fnUntraced(function* (job: JobRow) {
  const { write } = yield* State
  const files = yield* Files
  const path = files.path(job.source_id ?? "")
  if (job.total === null) yield* countRows(path, job)
  yield* applyRows(path, job)
  if (job.mode === "replace") yield* zeroUnmentioned(job)
  const reportId = yield* writeReport(job)
  yield* write((tx) =>
    Result.succeed(endJob(tx, files, { id: job.id, end: reportId === undefined ? {} : { reportId } }))
  )
})
