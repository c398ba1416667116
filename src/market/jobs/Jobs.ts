import { Cause, Context, Effect, Layer, Queue, Result } from "effect"
import { BadRequest } from "../../feed/contract/Errors.ts"
import { Files } from "../files/Files.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { DiskFull } from "../answers/DiskFull.ts"
import { State, type Transaction } from "../state/State.ts"
import { untilWritten } from "../state/untilWritten.ts"
import { BrokenFile } from "./BrokenFile.ts"
import { endJob } from "./endJob.ts"
import { findJob, type JobRow } from "./JobRow.ts"
import { jobCleaning } from "./jobCleaning.ts"
import { NothingImported } from "./NothingImported.ts"
import { runExport } from "./runExport.ts"
import { runImport } from "./runImport.ts"

/** Jobs at work at a time; the others are pending. */
const workers = 2

/** A job that was running when the sandbox was killed is tried this often in all: it may be what ended the sandbox. */
const maxStarts = 2

const countStart = (tx: Transaction, id: string): Result.Result<number> => {
  const row = tx.one<{ starts: number }>(
    `insert into job_starts values (:id, 1) on conflict do update set starts = starts + 1 returning starts`,
    { id }
  )
  return Result.succeed(row?.starts ?? 1)
}

const gaveUp = ({ kind, rows_done }: JobRow): string => {
  const done = kind === "import" ? `Its first ${rows_done} rows are imported. Import the others again` : "Export again"
  return `The sandbox was killed ${maxStarts} times while this job ran, so it is not tried any more. ${done}`
}

/** What a failed job says; undefined: it is a fault of the sandbox. */
const reasonOf = (error: unknown): string | undefined =>
  error instanceof BrokenFile ||
  error instanceof NothingImported ||
  error instanceof BadRequest ||
  error instanceof DiskFull
    ? error.message
    : undefined

/** Runs one job to its end. A broken file fails it; so does a fault of the sandbox, which is logged. */
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
    const starts = yield* write((tx) => countStart(tx, id))
    if (starts > maxStarts) yield* fail(gaveUp(job))
    else if (job.kind === "import") yield* runImport(job)
    else yield* runExport(job)
  }).pipe(
    // A sandbox that is stopped has not been killed: the job does not count as tried.
    Effect.onInterrupt(() =>
      write((tx) => Result.succeed(tx.run("delete from job_starts where job_id = :id", { id })))
    ),
    Effect.catchCause((cause) => {
      if (Cause.hasInterrupts(cause)) return Effect.failCause(cause)
      const reason = reasonOf(Cause.squash(cause))
      if (reason !== undefined) return fail(reason)
      return Effect.andThen(Effect.logError(`Job ${id}`, cause), fail("The sandbox failed; its log says why"))
    })
  )
  if (job.source_id !== null) files.remove(job.source_id)
})

/** Imports and exports, which run beside the requests that start them. */
export class Jobs extends Context.Service<
  Jobs,
  {
    /** Runs a job that is stored as pending, when its turn comes. */
    readonly start: (id: string) => void
  }
>()("cardlake/sandbox/Jobs") {
  /** Goes on with the jobs that an earlier sandbox left, and deletes files that are seven days old. */
  static readonly layer = Layer.effect(
    Jobs,
    Effect.gen(function* () {
      const { store } = yield* State
      const clock = yield* MarketClock
      const cleaning = yield* jobCleaning
      clock.register(cleaning.deleteOldFiles)
      const waiting = yield* Queue.unbounded<string>()
      const work = Queue.take(waiting).pipe(
        Effect.flatMap((id) => Effect.andThen(runJob(id), untilWritten(`Rows of job ${id}`, cleaning.forgetRows(id)))),
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
