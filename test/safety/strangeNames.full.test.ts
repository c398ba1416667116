import { assert } from "@effect/vitest"
import { vi } from "vitest"
import { Effect } from "effect"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { listSnapshots } from "../../src/night/run/listSnapshots.ts"
import { runDiff } from "../../src/night/run/runDiff.ts"
import { runPrune } from "../../src/night/run/runPrune.ts"
import { runRelease } from "../../src/night/run/publishAs.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { runReplay } from "../../src/night/run/runReread.ts"
import { explore } from "../desk/explorer/explored.ts"
import { catalogueFolder, card, expansion } from "../store/lake/invented.ts"
import { lines } from "../store/lake/tableRows.ts"
import { homeOf } from "../pipelines/nights.ts"
import { proxyFor } from "../pipelines/proxy.ts"
import { live } from "../support/suite.ts"

vi.setConfig({ testTimeout: 60_000 })

/** Names that every JavaScript object inherits, and one with the character that ends a text in C. */
const words = ["constructor", "toString", "__proto__", "Fo\0il"]
const gameId = "constructor"
const price = (low: number) => ({ sourceEur: { currency: "EUR", low, marketValue: low } })

const deployment = (day: number, count: number, nameless?: number) => ({
  expansions: [expansion(1, { gameId, slug: "to-string", name: words[day + 1], code: words[day] })],
  products: Array.from({ length: count }, (_, index) => {
    const word = words[index % words.length]
    return card(index + 1, {
      gameId,
      game: { id: gameId, name: "constructor" },
      name: index === nameless ? 7 : word,
      nameSlug: `${word}-${index}`,
      finishes: words,
      rarity: word,
      attributes: Object.fromEntries(words.map((key) => [key, word])),
      externalIds: { mtgId: `${word}-${index}` },
      pricesByFinish: Object.fromEntries(words.map((finish) => [finish, price(day + 1)])),
      "un\0known": "\0"
    })
  })
})

/** The first one is held: in one record of thirty the name is a number. */
const deployments = [deployment(0, 30, 7), deployment(1, 30), deployment(2, 31)]

live("a game called constructor, full of names that objects inherit and of NUL, is like any other", function* () {
  const catalogue = yield* catalogueFolder({ [gameId]: deployments })
  const sandbox = yield* serveSandbox({ catalogue })
  const proxy = yield* proxyFor(sandbox.url, ({ answer }) =>
    answer.replaceAll('"dep_', '"de\\u0000p_').replaceAll('"Game ', '"Ga\\u0000me ')
  )
  const { inHome, night, rows, services } = yield* homeOf({ key: sandbox.key, url: proxy.url })
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
  const [last] = (yield* night()).games
  assert.deepInclude(last, { verdict: "published", products: 31, refused: 0 })
  assert.strictEqual(last?.reconciliation?.unexplained, 0)
  assert.match(last?.deploymentId ?? "", /^de\0p_[0-9a-f]{16}$/)
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

  // The history has three nights of 29, 30 and 31 cards, each card with one price per finish.
  const perFinish =
    "select finish, count(*)::int as n from products_at(now()::timestamptz) join source_price_history using (game_id, product_id) group by finish order by finish"
  assert.deepStrictEqual(
    lines(yield* rows(perFinish)),
    ["Fo\0il", "__proto__", "constructor", "toString"].map((finish) => `${finish} 90`)
  )
  const [texts] = yield* rows(`
    select p.name, p.name_slug, p.attributes, p.extra, e.name as expansion, x.external_id, g.name as game
    from products p join expansions e using (game_id) join external_ids x using (game_id, product_id) join games g using (game_id)
    where product_id = 4`)
  assert.deepStrictEqual(texts, {
    name: "Fo\0il",
    name_slug: "Fo\0il-3",
    attributes: String.raw`{"constructor":"Fo\u0000il","toString":"Fo\u0000il","__proto__":"Fo\u0000il","Fo\u0000il":"Fo\u0000il"}`,
    extra: String.raw`{"un\u0000known":"\u0000"}`,
    expansion: "Fo\0il",
    external_id: "Fo\0il-3",
    game: `Ga\0me ${gameId}`
  })
  const ofDeployments = lines(yield* rows("select distinct deployment_id from deployments order by all"))
  assert.lengthOf(ofDeployments, 3)
  assert.includeMembers([...ofDeployments], [...lines(yield* rows("select distinct deployment_id from nights"))])

  const { page } = yield* inHome(explore(services))
  for (const path of ["", "/expansions", "/products/1", "/diff", "/movers"])
    assert.strictEqual((yield* page(path === "" ? "/" : `/games/${gameId}${path}`)).status, 200, path)
})
