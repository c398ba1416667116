import { Effect } from "effect"
import { Lake, type Session } from "./Lake.ts"
import type { LakeError } from "../../../feed/reading/LakeError.ts"
import { lakeMemory, roomyMemory } from "../../../feed/rows/memoryBound.ts"
import { availableParallelism } from "node:os"

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

const limitMemory = Effect.fnUntraced(function* (limit: string) {
  const session = yield* (yield* Lake).session
  yield* session.run("Limit the memory", `set memory_limit = '${limit}'`)
}, Effect.scoped)

const isOutOfMemory = (error: unknown): error is LakeError =>
  error instanceof Error && /Out of Memory/i.test(error.message)

/** Runs a step that begins from its start if it is run again; with more memory if it needs that. */
export const withMoreMemory = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.catchIf(run, isOutOfMemory, () =>
    Effect.acquireUseRelease(
      limitMemory(roomyMemory.memory_limit),
      () => run,
      () => Effect.ignore(limitMemory(lakeMemory.memory_limit))
    )
  )

/** DuckDB hands out work in groups of so many rows. With fewer, one thread works, and the others ask for work in a loop. */
const rowsOfGroup = 122_880

const most = lakeMemory.threads ?? String(availableParallelism())

/** Has DuckDB use as many threads as tables with so many rows keep busy. It holds for every session until the next call. */
export const threadsFor = Effect.fnUntraced(function* (session: Session, rows: number) {
  yield* session.run("Choose the number of threads", `set threads = ${rows <= rowsOfGroup ? "1" : most}`)
})
