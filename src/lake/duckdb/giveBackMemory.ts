import { Effect } from "effect"
import { Lake } from "./Lake.ts"

/**
 * Gives memory that was freed on any thread back to the system: the C library keeps it, hundreds of megabytes after a
 * reading. DuckDB has it trimmed whenever its number of threads changes, and Node has no call for it.
 */
export const giveBackMemory = Effect.gen(function* () {
  const session = yield* (yield* Lake).session
  const [row] = yield* session.rows("Ask for the threads", "select current_setting('threads') as threads")
  const threads = Number(row?.["threads"])
  yield* session.run("Give memory back", `set threads = ${threads + 1}; set threads = ${threads}`)
}).pipe(Effect.scoped)
