import { assert } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { listSnapshots } from "../../src/night/run/listSnapshots.ts"
import { runDiff } from "../../src/night/run/runDiff.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRelease } from "../../src/night/run/runRelease.ts"
import { runReplay } from "../../src/night/run/runReplay.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { explore } from "../desk/explorer/explored.ts"
import { catalogueFolder, card, expansion } from "../store/lake/invented.ts"
import { lakeRows } from "../store/lake/tableRows.ts"
import { marketplaceAndHome } from "../pipelines/nights.ts"
import { live } from "../support/suite.ts"

vi.setConfig({ testTimeout: 60_000 })

/** Names that every JavaScript object inherits. */
const words = ["constructor", "toString", "__proto__"]
const gameId = "constructor"
const price = (low: number) => ({ sourceEur: { currency: "EUR", low, marketValue: low } })

const deployment = (day: number, count: number, nameless?: number) => ({
  expansions: [expansion(1, { gameId, slug: "to-string", name: words[day], code: words[day] })],
  products: Array.from({ length: count }, (_, index) => {
    const word = words[index % words.length]
    return card(index + 1, {
      gameId,
      game: { id: gameId, name: "constructor" },
      name: index === nameless ? 7 : word,
      nameSlug: `word-${index}`,
      finishes: words,
      rarity: word,
      attributes: Object.fromEntries(words.map((key) => [key, word])),
      externalIds: { mtgId: `${word}-${index}` },
      pricesByFinish: Object.fromEntries(words.map((finish) => [finish, price(day + 1)]))
    })
  })
})

/** The first one is held: in one record of thirty the name is a number. */
const deployments = [deployment(0, 30, 7), deployment(1, 30), deployment(2, 31)]

live("a game called constructor, full of names that objects inherit, is like any other", function* () {
  const catalogue = yield* catalogueFolder({ [gameId]: deployments })
  const { night, sandbox, services } = yield* marketplaceAndHome({ catalogue })
  const inHome = Effect.provideContext(services)
  const verdicts = Effect.map(night(), ({ games }) => games.map((game) => [game.gameId, game.verdict, game.products]))

  assert.deepStrictEqual(yield* verdicts, [[gameId, "held", 29]])
  assert.deepStrictEqual(yield* verdicts, [[gameId, "held", 29]])
  assert.deepStrictEqual(
    (yield* inHome(listSnapshots)).map(({ state }) => state),
    ["held"]
  )
  const released = yield* inHome(runRelease({ gameId, wanted: null, why: null }))
  yield* sandbox.deploy(gameId)
  assert.deepStrictEqual(yield* verdicts, [[gameId, "published", 30]])
  yield* sandbox.deploy(gameId)
  assert.deepStrictEqual(yield* verdicts, [[gameId, "published", 31]])
  assert.deepStrictEqual(yield* verdicts, [[gameId, "unchanged", 31]])

  const { changes } = yield* inHome(runDiff({ gameId, from: null, to: null }))
  assert.deepStrictEqual([changes.products.added, changes.products.modifiedPrice], [1, 30])
  assert.isTrue((yield* inHome(runReplay(gameId, null))).equal)
  const back = yield* inHome(runRollback({ gameId, wanted: null, why: null }))
  assert.strictEqual(back.products, 30)
  assert.deepStrictEqual(yield* verdicts, [[gameId, "published", 31]])
  yield* inHome(runPrune({ days: null, last: 1, monthly: false }, false))
  assert.notInclude(
    (yield* inHome(listSnapshots)).map(({ snapshot }) => snapshot),
    released.snapshot
  )

  const rows = yield* inHome(
    lakeRows(
      "select finish, count(*)::int as n from products_at(now()::timestamptz) join source_price_history using (game_id, product_id) group by finish order by finish"
    )
  )
  // The history has three nights of 29, 30 and 31 cards, each card with one price per finish.
  assert.deepStrictEqual(
    rows,
    ["__proto__", "constructor", "toString"].map((finish) => ({ finish, n: 90 }))
  )
  const [attributes] = yield* inHome(lakeRows("select attributes from products where product_id = 2"))
  assert.strictEqual(
    attributes?.["attributes"],
    '{"constructor":"toString","toString":"toString","__proto__":"toString"}'
  )

  const { page } = yield* inHome(explore(services))
  for (const path of [
    "/",
    `/games/${gameId}/expansions`,
    `/games/${gameId}/products/1`,
    `/games/${gameId}/diff`,
    `/games/${gameId}/movers`
  ]) {
    assert.strictEqual((yield* page(path)).status, 200, path)
  }
})
