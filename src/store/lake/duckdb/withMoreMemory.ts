import { Effect } from "effect"
import { Lake } from "./Lake.ts"
import type { LakeError } from "../../../feed/reading/LakeError.ts"
import { lakeMemory, roomyMemory } from "../../../feed/rows/memoryBound.ts"

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
