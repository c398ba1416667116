import { describe, it } from "@effect/vitest"
import { diffIsDeepComparison, diffsCompose } from "./diffRules.ts"

/** Several nights of work in one test, on cores that others use as well. */
const busy = 90_000

describe("the difference of two snapshots", () => {
  it.live(
    "is what a deep comparison of the records finds, turns round, and is nothing for equal ones",
    () => diffIsDeepComparison(1, 60),
    busy
  )
  it.live("composes: two steps make the one step over both", () => diffsCompose(1, 60), busy)
})
