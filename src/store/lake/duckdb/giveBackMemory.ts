import { Effect } from "effect"
import { Lake } from "./Lake.ts"

/** Less is not worth the time: a small game's night would ask four times for nothing. */
const worthwhileBytes = 32 * 1024 * 1024

/** What the process had after the last time, or has had since, if that is less. */
let restingBytes = 0

/**
 * Gives memory that was freed on any thread back to the system: the C library keeps it, hundreds of megabytes after a
 * reading. DuckDB has it trimmed whenever its number of threads changes, and Node has no call for it.
 */
export const giveBackMemory = Effect.gen(function* () {
  const bytes = process.memoryUsage.rss()
  restingBytes = Math.min(restingBytes, bytes)
  if (bytes - restingBytes < worthwhileBytes) return
  const session = yield* (yield* Lake).session
  const [row] = yield* session.rows("Ask for the threads", "select current_setting('threads') as threads")
  const threads = Number(row?.["threads"])
  yield* session.run("Give memory back", `set threads = ${threads + 1}; set threads = ${threads}`)
  restingBytes = process.memoryUsage.rss()
}).pipe(Effect.scoped)
