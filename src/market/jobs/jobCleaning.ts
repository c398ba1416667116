import { Effect, Result } from "effect"
import { setImmediate } from "node:timers/promises"
import { Files } from "../files/Files.ts"
import { type DueWork, MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"

interface OldJob {
  readonly id: string
  readonly file_id: string | null
  readonly report_id: string | null
}

const mostRows = 5000

/** What is left of a job: rows that it needed while it ran, and files that are kept for seven days. */
export const jobCleaning = Effect.gen(function* () {
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

  /** A few thousand rows at a time, so that no request waits for them. */
  const forgetSome = (table: "failed_rows" | "mentioned_lines", id: string) =>
    write((tx) =>
      Result.succeed(
        tx.run(
          table === "failed_rows"
            ? "delete from failed_rows where job_id = :id and row in (select row from failed_rows where job_id = :id limit :most)"
            : `delete from mentioned_lines where job_id = :id
               and line_id in (select line_id from mentioned_lines where job_id = :id limit :most)`,
          { id, most: mostRows }
        )
      )
    )
  const forgetRows = Effect.fnUntraced(function* (id: string) {
    for (const table of ["failed_rows", "mentioned_lines"] as const) {
      while ((yield* forgetSome(table, id)) > 0) yield* Effect.promise(() => setImmediate())
    }
  })
  return { deleteOldFiles, forgetRows }
})
