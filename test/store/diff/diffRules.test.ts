import { describe } from "@effect/vitest"
import { diffIsDeepComparison } from "./diffRules.ts"
import { live } from "../../support/suite.ts"
import { rounds } from "../../tried.ts"

describe("the difference of two snapshots", () => {
  live("is what a deep comparison of the records finds, its reverse backwards, and nothing between equal ones", () =>
    diffIsDeepComparison(rounds(30, 1), rounds(200, 60))
  )
})
