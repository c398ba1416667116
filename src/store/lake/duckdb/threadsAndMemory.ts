import { Effect } from "effect"
import { Lake, type Session } from "./Lake.ts"
import type { LakeError } from "../../../feed/reading/LakeError.ts"
import { lakeMemory, roomyMemory } from "../../../feed/rows/memoryBound.ts"
import { availableParallelism } from "node:os"

/** Minimum growth that is worth a trim; otherwise a small game's night would trim four times for nothing. */
const worthwhileBytes = 32 * 1024 * 1024

/** Lowest memory of the process since the last trim. */
let restingBytes = 0

/**
 * Returns freed memory of all threads to the system: the C library retains hundreds of megabytes after a reading.
 * DuckDB trims it when its thread count changes; Node has no such call.
 */
export const giveBackMemory = Effect.gen(function* () {
  const bytes = process.memoryUsage.rss()
  restingBytes = Math.min(restingBytes, bytes)
  if (bytes - restingBytes < worthwhileBytes) return
  const session = yield* (yield* Lake).session
  const [row] = yield* session.rows("Read the number of threads", "select current_setting('threads') as threads")
  const threads = Number(row?.["threads"])
  yield* session.run("Release memory", `set threads = ${threads + 1}; set threads = ${threads}`)
  restingBytes = process.memoryUsage.rss()
}).pipe(Effect.scoped)

const limitMemory = Effect.fnUntraced(function* (limit: string) {
  const session = yield* (yield* Lake).session
  yield* session.run("Limit the memory", `set memory_limit = '${limit}'`)
}, Effect.scoped)

export const isOutOfMemory = (error: unknown): error is LakeError =>
  error instanceof Error && /Out of Memory/i.test(error.message)

/** Runs an idempotent step, and again with more memory if it runs out. */
export const withMoreMemory = <A, E, R>(run: Effect.Effect<A, E, R>) =>
  Effect.catchIf(run, isOutOfMemory, () =>
    Effect.acquireUseRelease(
      limitMemory(roomyMemory.memory_limit),
      () => run,
      () => Effect.ignore(limitMemory(lakeMemory.memory_limit))
    )
  )

/** Rows per unit of DuckDB's parallel work. With fewer rows, one thread works and the others spin. */
const rowsOfGroup = 122_880

const most = lakeMemory.threads ?? String(availableParallelism())

/** Limits DuckDB to the threads that so many rows can occupy, in every session until the next call. */
export const threadsFor = Effect.fnUntraced(function* (session: Session, rows: number) {
  yield* session.run("Choose the number of threads", `set threads = ${rows <= rowsOfGroup ? "1" : most}`)
})
