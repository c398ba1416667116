import { Effect, Random } from "effect"
import { Lake } from "./Lake.ts"

/** A session whose tables and views are in a database of its own, in memory, and end with the scope. */
export const scratchSession = Effect.gen(function* () {
  const session = yield* (yield* Lake).session
  const scratch = `scratch_${yield* Random.nextIntBetween(0, Number.MAX_SAFE_INTEGER)}`
  yield* Effect.acquireRelease(
    session.run("Open a scratch database", `attach ':memory:' as ${scratch}; use ${scratch}`),
    () => Effect.ignore(session.run("Close the scratch database", `use memory; detach ${scratch}`))
  )
  return session
})
