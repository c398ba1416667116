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

const maxRows = 5000

/** What is only there while a job is processing. */
const forgetting = (
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
  const forgetSome = (sql: string, id: string) => write((tx) => Result.succeed(tx.run(sql, { id, most: maxRows })))
  const forgetRows = Effect.fnUntraced(function* (id: string) {
    for (const sql of forgetting) {
      while ((yield* forgetSome(sql, id)) === maxRows) yield* Effect.promise(() => setImmediate())
    }
  })
  return { deleteOldFiles, forgetRows }
})
