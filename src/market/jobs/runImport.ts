import { Effect, Result, Stream } from "effect"
import { setImmediate } from "node:timers/promises"
import { Files } from "../files/Files.ts"
import { State, type Store } from "../state/State.ts"
import { applyBatch } from "./applyBatch.ts"
import { brokenFile } from "./BrokenFile.ts"
import { endJob } from "./endJob.ts"
import { fileRows } from "./fileRows.ts"
import { findJob, type JobRow } from "./JobRow.ts"
import { NothingImported } from "./NothingImported.ts"
import { writeReport } from "./writeReport.ts"
import { zeroUnmentioned } from "./zeroUnmentioned.ts"

/** Lets requests through between two batches. */
const pause = Effect.promise(() => setImmediate())

const batches = (path: string, job: JobRow) => Stream.fromAsyncIterable(fileRows(path, job), brokenFile)

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
    const done = Math.max(0, job.rows_done - first + 1)
    if (done >= rows.length) return Effect.void
    return Effect.andThen(applyBatch(job, rows.slice(done), first + done), pause)
  })
}

/** What is left to a `replace` without one good row is nobody's wish: its file is wrong. */
const checkReplace = (store: Store, { id }: JobRow): Result.Result<void, NothingImported> => {
  const job = findJob(store, id)
  if (job === undefined || job.succeeded > 0) return Result.succeed(undefined)
  const first = store.one<{ row: number; code: string; message: string }>(
    "select row, code, message from failed_rows where job_id = :id order by row limit 1",
    { id }
  )
  const why = first?.message.startsWith(first.code) === true ? first.message : `${first?.code}: ${first?.message}`
  const firstReason = first === undefined ? "" : `row ${first.row}: ${why}`
  return Result.fail(new NothingImported({ rows: job.total ?? 0, firstReason }))
}

/** Imports the file of a job, from where it was left. Fails when the file is broken, or replaces everything by nothing. */
export const runImport = Effect.fnUntraced(function* (job: JobRow) {
  const { store, write } = yield* State
  const files = yield* Files
  const path = files.path(job.source_id ?? "")
  if (job.total === null) yield* countRows(path, job)
  yield* applyRows(path, job)
  if (job.mode === "replace") {
    yield* Effect.fromResult(checkReplace(store, job))
    yield* zeroUnmentioned(job)
  }
  const reportId = yield* writeReport(job)
  yield* write((tx) =>
    Result.succeed(endJob(tx, files, { id: job.id, end: reportId === undefined ? {} : { reportId } }))
  )
})
