import { Effect, Result, Stream, Schema } from "effect"
import { setImmediate } from "node:timers/promises"
import { Files } from "../files/Files.ts"
import { commit, State, type Store } from "../state/State.ts"
import { applyBatch } from "./applyBatch.ts"
import { endJob, findJob, type JobRow } from "./JobRow.ts"
import { fileRows } from "./fileRows.ts"
import type { FailedRow } from "../contract/jobs/jobOperations.ts"
import type { LineRow } from "../inventory/LineRow.ts"
import { makeQuantityLog, setQuantity } from "../inventory/putLine.ts"
import { limits } from "../contract/Limits.ts"
import { sqlText } from "../state/openDatabase.ts"
import { createWriteStream } from "node:fs"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

/** The imported file cannot be read completely. The job fails and applies nothing. */
export class BrokenFile extends Schema.TaggedError<BrokenFile>()("BrokenFile", { reason: Schema.String }) {
  override get message() {
    return `The file cannot be read: ${this.reason}. Correct the file and import it again`
  }
}

/** Limit of a message, because csv-parse repeats the unreadable field. */
const maxReasonLength = 300

const brokenFile = (error: unknown): BrokenFile => {
  const reason = error instanceof Error ? error.message : String(error)
  return new BrokenFile({ reason: reason.slice(0, maxReasonLength).replace(/\.$/, "") })
}

/** A `replace` had no valid row. The job fails and changes no line. */
export class NothingImported extends Schema.TaggedError<NothingImported>()("NothingImported", {
  rows: Schema.Int,
  firstReason: Schema.String
}) {
  override get message() {
    if (this.rows === 0) {
      return "The file has no rows, so no line was changed. To set lines to 0, import them with the quantity 0"
    }
    const none = this.rows === 1 ? "The file's 1 row cannot be imported" : `None of ${this.rows} rows can be imported`
    return `${none}, so no line was changed: ${this.firstReason}. Correct the file and import it again`
  }
}

const unmentioned = sqlText(new URL("./unmentionedLines.sql", import.meta.url))

/** Returns some lines that a `replace` does not mention, by id. */
const unmentionedLines = (store: Store, { account_id: accountId, id: jobId }: JobRow, after: string) =>
  store.all<LineRow>(unmentioned, { accountId, jobId, after, most: limits.changesPerEvent })

/** Returns the first refused row without a known product. */
const unplacedRow = (store: Store, { id }: JobRow): number | undefined =>
  store.one<{ row: number }>("select row from unplaced_rows where job_id = :id", { id })?.row

/** `replace`: sets unmentioned lines to zero, unless an unreadable row may refer to any of them. */
const zeroUnmentioned = Effect.fnUntraced(function* (job: JobRow) {
  const { store } = yield* State
  if (unplacedRow(store, job) !== undefined) return
  const zeroSome = (after: string) =>
    commit((tx) => {
      const lines = unmentionedLines(tx, job, after)
      const log = makeQuantityLog()
      for (const line of lines) setQuantity({ tx, log }, line, 0)
      log.emit(tx, job.account_id, "import")
      return lines.at(-1)?.id
    })
  let after: string | undefined = ""
  while (after !== undefined) {
    after = yield* zeroSome(after)
    yield* Effect.promise(() => setImmediate())
  }
})

type Entries = Iterable<ReadonlyArray<FailedRow>>

const failedRows = function* (store: Store, { id: jobId }: JobRow): Entries {
  let after = 0
  for (;;) {
    const rows = store.all<FailedRow>(
      "select row, code, message from failed_rows where job_id = :jobId and row > :after order by row limit 1000",
      { jobId, after }
    )
    const last = rows.at(-1)
    if (last === undefined) return
    yield rows
    after = last.row
  }
}

const lineLeft = (row: number, { custom_id, id, product_id, quantity }: LineRow): FailedRow => {
  const named = custom_id === null ? "" : ` (customId ${custom_id})`
  const message = `line ${id} of product ${product_id}${named} keeps its ${quantity} units: row ${row} may mean it`
  return { row, code: "LINE_LEFT", message }
}

/** Returns report entries for lines that `replace` left unchanged because one row is unclear. */
const linesLeft = function* (store: Store, job: JobRow): Entries {
  const row = job.mode === "replace" ? unplacedRow(store, job) : undefined
  if (row === undefined) return
  let after = ""
  for (;;) {
    const lines = unmentionedLines(store, job, after)
    const last = lines.at(-1)
    if (last === undefined) return
    yield lines.map((line) => lineLeft(row, line))
    after = last.id
  }
}

const reportText = function* (store: Store, job: JobRow) {
  let isFirst = true
  for (const entries of [failedRows(store, job), linesLeft(store, job)]) {
    for (const some of entries) {
      yield (isFirst ? "[\n" : ",\n") + some.map((entry) => JSON.stringify(entry)).join(",\n")
      isFirst = false
    }
  }
  yield "\n]\n"
}

/** Writes the report of refused rows and of lines left unchanged because of them; undefined if there are none. */
const writeReport = Effect.fnUntraced(function* (job: JobRow) {
  const { store } = yield* State
  const files = yield* Files
  if (store.one("select 1 from failed_rows where job_id = :id limit 1", { id: job.id }) === undefined) return undefined
  const id = yield* commit((tx) => tx.newId())
  yield* files.writing(() => pipeline(Readable.from(reportText(store, job)), createWriteStream(files.path(id))))
  return id
})

/** Yields to requests between two batches. */
const pause = Effect.promise(() => setImmediate())

const batches = (path: string, job: JobRow) => Stream.fromAsyncIterable(fileRows(path, job), brokenFile)

/** Reads the complete file once, so that an invalid one changes nothing and rows are counted. */
const countRows = Effect.fnUntraced(function* (path: string, job: JobRow) {
  const total = yield* Stream.runFold(
    Stream.mapEffect(batches(path, job), (rows) => Effect.as(pause, rows.length)),
    () => 0,
    (sum, rows) => sum + rows
  )
  yield* commit((tx) =>
    tx.run("update jobs set status = 'processing', total = :total where id = :id", { id: job.id, total })
  )
})

const applyRows = (path: string, job: JobRow) => {
  let row = 0
  return Stream.runForEach(batches(path, job), (rows) => {
    const first = row + 1
    row += rows.length
    // These rows were applied before a restart.
    const done = Math.max(0, job.rows_done - first + 1)
    if (done >= rows.length) return Effect.void
    return Effect.andThen(applyBatch(job, rows.slice(done), first + done), pause)
  })
}

/** Fails a `replace` without a valid row: the file must be wrong. */
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

/**
 * Imports a job's file, resuming after the applied rows. Fails if the file is invalid, or if a `replace` has no valid
 * row.
 */
export const runImport = Effect.fnUntraced(function* (job: JobRow) {
  const { store } = yield* State
  const files = yield* Files
  const path = files.path(job.source_id ?? "")
  if (job.total === null) yield* countRows(path, job)
  yield* applyRows(path, job)
  if (job.mode === "replace") {
    yield* Effect.fromResult(checkReplace(store, job))
    yield* zeroUnmentioned(job)
  }
  const reportId = yield* writeReport(job)
  yield* commit((tx) => endJob(tx, files, { id: job.id, end: reportId === undefined ? {} : { reportId } }))
})
