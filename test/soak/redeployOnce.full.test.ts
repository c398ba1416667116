import { assert, describe } from "@effect/vitest"
import { Effect, Result } from "effect"
import { catalogueFolder } from "../store/lake/invented.ts"
import { movedDeployments, movedGame, moves, redeployRules } from "./redeployMoves.ts"
import { type Reading, soakReading } from "./soakReading.ts"
import { live } from "../support/suite.ts"

const readAt = Effect.fnUntraced(function* (catalogue: string, place: number) {
  const { reading } = yield* soakReading(catalogue, movedGame, place)
  return yield* Effect.fromResult(reading)
})

const isSame = (a: Reading, b: Reading) => JSON.stringify(a) === JSON.stringify(b)

describe("a redeploy while a game is read", () => {
  for (const [name, to, steps] of moves) {
    live(`${name}, at every page: the stored pages are exactly one deployment's`, function* () {
      const catalogue = yield* catalogueFolder({ [movedGame]: movedDeployments })
      const old = yield* readAt(catalogue, to - steps)
      const fresh = yield* readAt(catalogue, to)
      assert.isFalse(isSame(old, fresh))
      const wrong: Array<string> = []
      for (const { place, rule } of redeployRules(steps)) {
        const { injected, reading } = yield* soakReading(catalogue, movedGame, to - steps, { rules: [rule] })
        assert.strictEqual(injected.redeploy, 1, place)
        if (Result.isFailure(reading)) assert.strictEqual(reading.failure._tag, "Torn", place)
        else if (!isSame(reading.success, old) && !isSame(reading.success, fresh)) wrong.push(place)
      }
      assert.deepStrictEqual(wrong, [])
    })
  }

  live("twice, at every page: the stored pages are exactly one deployment's", function* () {
    const catalogue = yield* catalogueFolder({ [movedGame]: movedDeployments })
    const known = yield* Effect.forEach(movedDeployments, (_, place) => readAt(catalogue, place))
    // After the last request there is no second time.
    for (const { place, rule } of redeployRules(1).slice(0, -1)) {
      const twice = { ...rule, at: (rule.at ?? []).flatMap((at) => [at, at + 1]) }
      const { injected, reading } = yield* soakReading(catalogue, movedGame, 0, { rules: [twice] })
      assert.strictEqual(injected.redeploy, 2, place)
      if (Result.isFailure(reading)) assert.strictEqual(reading.failure._tag, "Torn", place)
      else
        assert.isTrue(
          known.some((one) => isSame(reading.success, one)),
          place
        )
    }
  })
})
