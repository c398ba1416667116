import { describe, it } from "@effect/vitest"
import { diffIsDeepComparison, diffsCompose } from "./diffRules.ts"

describe("the difference of two snapshots, many cases", () => {
  it.live("is what a deep comparison of the records finds", () => diffIsDeepComparison(30, 200))
  it.live("composes", () => diffsCompose(20, 200))
})
