import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"
import { catalogueFolder, repricedGame } from "../../store/lake/invented.ts"
import { linesOf, serving } from "./served.ts"

const game = "hollowmere"

live("a long poll wakes at a publication, and a table is there until two more", function* () {
  const catalogue = yield* catalogueFolder({ [game]: repricedGame(game, { days: 5 }) })
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue })
  const publish = Effect.andThen(sandbox.deploy(game), night(game))
  yield* night(game)
  const { get } = yield* Effect.provideContext(serving(), services)
  const poll = yield* Effect.forkChild(get("/v1/changes?since=1&wait=60"))
  const others = yield* Effect.forkChild(
    Effect.forEach(Array.from({ length: 5 }), () => get("/v1/changes?since=1&wait=60"), { concurrency: 5 })
  )
  yield* publish
  const woken = yield* Fiber.join(poll)
  assert.deepStrictEqual(linesOf(woken).at(-1), { next: 2 })
  assert.isAbove(linesOf(woken).length, 1)
  for (const { text } of yield* Fiber.join(others)) assert.strictEqual(text, woken.text)

  const table = (sequence: number) => get(`/v1/tables/source_prices/${game}.ndjson?sequence=${sequence}`)
  const lows = (sequence: number) =>
    Effect.map(table(sequence), (got) => (got.status === 200 ? linesOf(got).map(({ low }) => low) : got.status))
  assert.deepStrictEqual(yield* lows(2), [2, 3, 4])
  yield* publish
  yield* publish
  yield* get("/v1/changes?since=3&wait=60")
  assert.deepStrictEqual(yield* lows(2), [2, 3, 4])
  // Nobody asked for it while it was the newest.
  assert.strictEqual(yield* lows(3), 410)
  assert.deepStrictEqual(yield* lows(4), [4, 5, 6])
  yield* publish
  yield* get("/v1/changes?since=4&wait=60")
  assert.strictEqual(yield* lows(2), 410)
  assert.deepStrictEqual(yield* lows(4), [4, 5, 6])
})
