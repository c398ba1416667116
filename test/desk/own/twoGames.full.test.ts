import { live } from "../../support/suite.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { storeAnswers } from "../../../src/desk/own/reviewCollection.ts"
import { showing } from "../../../src/night/run/showing.ts"
import { loadRates } from "../../../src/store/lake/fx/loadRates.ts"
import { catalogueFolder, card, expansion, idOf } from "../../store/lake/invented.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"

const names: Readonly<Record<string, string>> = { fen: "Game fen", "fen-quest": "Game fen-quest" }

/** The same ids, set, numbers and names in both games; only the price says whose they are. */
const deployed = (gameId: string, marketValue: number) => {
  const of = { gameId, game: { id: gameId, name: names[gameId] } }
  const set = { expansionId: 71, expansion: { id: 71, code: "REE", name: "Reeds" } }
  const pricesByFinish = { Standard: { sourceEur: { currency: "EUR", marketValue } } }
  const one = (id: number) =>
    card(id, { ...of, ...set, name: `Twin ${id}`, nameSlug: `twin-${id}`, printNumber: `${id}`, pricesByFinish })
  return { expansions: [expansion(71, { gameId, code: "REE", name: "Reeds" })], products: [one(1), one(2)] }
}

const seller =
  "TCGplayer Id,Product Line,Set Name,Product Name,Title,Number,Rarity,Condition,TCG Market Price,TCG Direct Low,TCG Low Price With Shipping,TCG Low Price,Total Quantity,Add to Quantity,TCG Marketplace Price,Photo URL"
const sold = (game: string) => `,${game},Reeds,Twin 1,,1,R,Near Mint,,,,,1,,,`

live("cards of two games with the same sets, numbers, names and ids are not taken for each other", function* () {
  const games = { fen: [deployed("fen", 2)], "fen-quest": [deployed("fen-quest", 3)] }
  const { home, night, services } = yield* marketplaceAndHome({ catalogue: yield* catalogueFolder(games) })
  const first = Date.parse("2026-05-01T03:00:00Z")
  yield* showing(first)(night())
  const take = (name: string, lines: ReadonlyArray<string>, game: string | null = null) => {
    const file = join(home, "work", `${name}.csv`)
    writeFileSync(file, lines.join("\n"))
    const asked = { file, name, add: false, game, currency: null }
    return Effect.provideContext(importCollection(asked), services)
  }
  const rows = (sql: string) =>
    Effect.gen(function* () {
      const session = yield* openLake
      yield* session.run("Open your own cards", (yield* ownSql) ?? "")
      const reader = yield* Effect.promise(() => session.connection.runAndReadAll(sql))
      return reader.getRowsJson().map((row) => row.map(String).join(" "))
    }).pipe(Effect.scoped, Effect.provideContext(services))
  const verdicts = (name: string) =>
    rows(`select game_id, verdict from collection_cards where collection = '${name}' order by row`)
  const fen = "fen matched by set and number"
  const quest = "fen-quest matched by set and number"

  // As tools say a game: as it is called, in part, with more words, by its id.
  yield* take("said", [
    seller,
    sold("Game Fen"),
    sold("Game Fen-Quest"),
    sold("Fen-Quest"),
    sold("Game Fen Quest TCG"),
    sold("GFQ"),
    sold("fen"),
    sold("Game")
  ])
  assert.deepStrictEqual(yield* verdicts("said"), [fen, quest, quest, quest, quest, fen, "null ambiguous: 2 products"])
  yield* take("none", ["product_id,game_id", "1,", "1,fen", "2,fen-quest"])
  assert.deepStrictEqual(yield* verdicts("none"), [
    "null ambiguous: 2 products",
    "fen matched by product id",
    "fen-quest matched by product id"
  ])
  yield* take("named", [seller, sold("")], "fen-quest")
  assert.deepStrictEqual(yield* verdicts("named"), [quest])

  const worth =
    "select game_id, product_id, value from collection_value() where collection = 'none' and value is not null order by all"
  assert.deepStrictEqual(yield* rows(worth), ["fen 1 2.0000", "fen-quest 2 3.0000"])
  const series = "select value, cards from collection_value_series() where collection = 'none'"
  assert.deepStrictEqual(yield* rows(series), ["5.0000 2"])
  // An answer is of one game, and holds for no import of another one.
  const [key = ""] = yield* rows(
    "select answer_key from collection_cards where collection = 'said' and product_id is null"
  )
  const answers = storeAnswers([{ key, product: { gameId: "fen", productId: 1 } }])
  yield* Effect.provideContext(answers, services)
  yield* take("answered", [seller, sold("Game")])
  assert.deepStrictEqual(yield* verdicts("answered"), ["fen matched by your answer"])
  yield* take("other", [seller, sold("Game")], "fen-quest")
  assert.deepStrictEqual(yield* verdicts("other"), [quest])

  // Both games have an expansion 71.
  const lacking = (game: string) => `select game_id, product_id from collection_missing(71${game}) order by all`
  assert.deepStrictEqual(yield* rows(lacking(", game := 'fen'")), ["fen 2"])
  assert.deepStrictEqual(yield* rows(lacking("")), ["fen 2"])

  // The second night reads fen alone: 2 × 4 dollars, and 3 × 2 at the rate of the day on which fen-quest was read.
  const text = "Date,USD\n2026-05-01,2\n2026-05-02,4\n"
  const rates = loadRates(idOf("fx"), { source: "rates.csv", text, loadedAt: "2026-05-03T00:00:00Z" })
  yield* Effect.provideContext(rates, services)
  yield* showing(first + 86_400_000)(night("fen"))
  const inDollars = (sql: string) => rows(`select ${sql}(to_currency := 'USD') where collection = 'none' order by all`)
  assert.deepStrictEqual(yield* inDollars("day, value from collection_value_series"), [
    "2026-05-01 10.0000",
    "2026-05-02 14.0000"
  ])
  assert.deepStrictEqual(yield* inDollars("market_value from collection_totals"), ["14.0000"])
})
