import { describe } from "@effect/vitest"
import { diffIsDeepComparison, diffsCompose } from "./diffRules.ts"
import { live } from "../../support/suite.ts"

/** Milliseconds: one test makes several nights, on cores that other tests use as well. */
const busy = 90_000

describe("the difference of two snapshots", () => {
  live(
    "is what a deep comparison of the records finds, its reverse backwards, and nothing between equal ones",
    () => diffIsDeepComparison(1, 60),
    busy
  )
  live.full("composes: the steps from a to b and from b to c make the one from a to c", () => diffsCompose(1, 60), busy)
})
