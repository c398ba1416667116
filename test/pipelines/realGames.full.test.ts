import { live } from "../support/suite.ts"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { dialectNames } from "../../src/feed/contract/dialect/dialects.ts"
import { hasRealCatalogue } from "./realCatalogue.ts"
import { readDeployments } from "./realNights.ts"

const games = [
  ["magic", "three nights of 108,319 products"],
  ["riftbound", "twelve nights"],
  ["fleshandblood", "five nights"]
] as const

describe.skipIf(!hasRealCatalogue)("every deployment of the real games, where the real catalogue is at hand", () => {
  for (const [gameId, nights] of games) {
    live(
      `${gameId}: ${nights} equal the files, the counted differences and the wire's prices, in every dialect the same tables`,
      function* () {
        const [spec, ...others] = yield* Effect.forEach(dialectNames, (dialect) => readDeployments(gameId, dialect))
        for (const [index, other] of others.entries()) assert.deepStrictEqual(other, spec, dialectNames[index + 1])
      },
      1_800_000
    )
  }
})
