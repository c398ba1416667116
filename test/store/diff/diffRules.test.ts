import { describe } from "@effect/vitest"
import { diffIsDeepComparison, diffsCompose } from "./diffRules.ts"
import { live } from "../../support/suite.ts"
import { rounds } from "../../tried.ts"

describe("the difference of two snapshots", () => {
  live("is what a deep comparison of the records finds, its reverse backwards, and nothing between equal ones", () =>
    diffIsDeepComparison(rounds(30, 1), rounds(200, 60))
  )
  live.full("composes: the steps from a to b and from b to c make the one from a to c", () => diffsCompose(20, 200))
})
