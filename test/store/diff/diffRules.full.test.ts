import { describe } from "@effect/vitest"
import { diffIsDeepComparison, diffsCompose } from "./diffRules.ts"
import { live } from "../../support/suite.ts"

describe("the difference of two snapshots, many cases", () => {
  live("is what a deep comparison of the records finds", () => diffIsDeepComparison(30, 200))
  live("composes", () => diffsCompose(20, 200))
})
