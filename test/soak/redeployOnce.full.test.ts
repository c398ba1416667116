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

  live("a feed that never stands still is torn", function* () {
    const [first] = movedDeployments
    const shrinking = Array.from({ length: 12 }, (_, gone) => ({
      ...first,
      products: first?.products.slice(gone) ?? []
    }))
    const catalogue = yield* catalogueFolder({ [movedGame]: shrinking })
    const rule = { kind: "redeploy", endpoint: "products", offset: 600 } as const
    const { reading } = yield* soakReading(catalogue, movedGame, 0, { rules: [rule] })
    assert.strictEqual(Result.isFailure(reading) ? reading.failure._tag : "read", "Torn")
  })
})
