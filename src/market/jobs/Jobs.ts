import { Cause, Context, Effect, Layer, Queue, Result } from "effect"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { Files } from "../files/Files.ts"
import { MarketClock, type DueWork } from "../state/MarketClock.ts"
import { DiskFull } from "../answers/refusals.ts"
import { commit, State, type Transaction, untilWritten } from "../state/State.ts"
import { BrokenFile, NothingImported, runImport } from "./runImport.ts"
import { endJob, findJob, type JobRow } from "./JobRow.ts"
import { runExport } from "./runExport.ts"
import { setImmediate } from "node:timers/promises"

interface OldJob {
  readonly id: string
  readonly file_id: string | null
  readonly report_id: string | null
}

const maxRows = 5000

/** Statements that delete the rows of a processed job. */
const cleanupStatements = (
  [
    ["failed_rows", "row"],
    ["mentioned_lines", "line_id"],
    ["spared_products", "product_id"],
    ["unplaced_rows", "row"],
    ["job_starts", "starts"]
  ] as const
).map(
  ([table, column]) =>
    `delete from ${table} where job_id = :id
     and ${column} in (select ${column} from ${table} where job_id = :id limit :most)`
)

/** Deletes the temporary rows of ended jobs, and files after seven days. */
const jobCleaning = Effect.gen(function* () {
  const { store, write } = yield* State
  const files = yield* Files
  const { nowText } = yield* MarketClock

  const deleteOldFiles: DueWork = {
    name: "old files of jobs",
    nextAt: () => {
      const first = store.one<{ expires_at: string | null }>(
        "select min(expires_at) as expires_at from jobs where file_id is not null or report_id is not null"
      )
      return first?.expires_at == null ? undefined : Date.parse(first.expires_at)
    },
    run: Effect.suspend(() => {
      const old = store.all<OldJob>(
        `select id, file_id, report_id from jobs
         where (file_id is not null or report_id is not null) and expires_at <= :now`,
        { now: nowText() }
      )
      for (const { file_id, report_id } of old) {
        if (file_id !== null) files.remove(file_id)
        if (report_id !== null) files.remove(report_id)
      }
      return write((tx) => {
        for (const { id } of old) tx.run("update jobs set file_id = null, report_id = null where id = :id", { id })
        return Result.succeed(undefined)
      })
    })
  }

  /** A few thousand rows at a time, so that requests do not wait. */
  const deleteSome = (sql: string, id: string) => write((tx) => Result.succeed(tx.run(sql, { id, most: maxRows })))
  const deleteRows = Effect.fnUntraced(function* (id: string) {
    for (const sql of cleanupStatements) {
      while ((yield* deleteSome(sql, id)) === maxRows) yield* Effect.promise(() => setImmediate())
    }
  })
  return { deleteOldFiles, deleteRows }
})

/** Number of concurrent jobs; the others are pending. */
const workers = 2

/** Maximum attempts of a job that was running when the sandbox was killed, since the job may be the cause. */
const maxStarts = 2

const countStart = (tx: Transaction, id: string): number => {
  const row = tx.one<{ starts: number }>(
    `insert into job_starts values (:id, 1) on conflict do update set starts = starts + 1 returning starts`,
    { id }
  )
  return row?.starts ?? 1
}

const gaveUp = ({ kind, rows_done }: JobRow): string => {
  const done = kind === "import" ? `Its first ${rows_done} rows are imported. Import the others again` : "Export again"
  return `The sandbox was killed ${maxStarts} times while this job ran, so it is not tried any more. ${done}`
}

/** Returns the message of a failed job; undefined for a fault of the sandbox. */
const failureMessage = (error: unknown): string | undefined =>
  error instanceof BrokenFile ||
  error instanceof NothingImported ||
  error instanceof BadRequest ||
  error instanceof DiskFull
    ? error.message
    : undefined

/** Runs one job to its end. An invalid file fails it; so does a fault of the sandbox, which is logged. */
const runJob = Effect.fnUntraced(function* (id: string) {
  const { store, write } = yield* State
  const files = yield* Files
  const job = findJob(store, id)
  if (job === undefined || job.status === "completed" || job.status === "failed") return
  const fail = (error: string) =>
    untilWritten(
      `The end of job ${id}`,
      write((tx) => Result.succeed(endJob(tx, files, { id, end: { error } })))
    )
  yield* Effect.gen(function* () {
    const starts = yield* commit((tx) => countStart(tx, id))
    if (starts > maxStarts) yield* fail(gaveUp(job))
    else if (job.kind === "import") yield* runImport(job)
    else yield* runExport(job)
  }).pipe(
    // Stopping the sandbox is no failed attempt of the job.
    Effect.onInterrupt(() => commit((tx) => tx.run("delete from job_starts where job_id = :id", { id }))),
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
      const reason = failureMessage(Cause.squash(cause))
      if (reason !== undefined) return fail(reason)
      return Effect.andThen(Effect.logError(`Job ${id}`, cause), fail("The sandbox failed; its log says why"))
    })
  )
  if (job.source_id !== null) files.remove(job.source_id)
})

/** Imports and exports, which run in the background. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Queues a job that is stored as pending. */
    readonly start: (id: string) => void
  }
>()("cardlake/sandbox/Jobs") {
  /** Resumes jobs of an earlier sandbox, and deletes files after seven days. */
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const { store } = yield* State
      const clock = yield* MarketClock
      const cleaning = yield* jobCleaning
      clock.register(cleaning.deleteOldFiles)
      const waiting = yield* Queue.unbounded<string>()
      const work = Queue.take(waiting).pipe(
        Effect.flatMap((id) => Effect.andThen(runJob(id), untilWritten(`Rows of job ${id}`, cleaning.deleteRows(id)))),
        Effect.forever
      )
      for (let worker = 0; worker < workers; worker++) yield* Effect.forkScoped(work)
      const left = store.all<{ id: string }>(
        "select id from jobs where status in ('pending', 'processing') order by id"
      )
      for (const { id } of left) Queue.offerUnsafe(waiting, id)
      return { start: (id) => void Queue.offerUnsafe(waiting, id) }
    })
  )
}
