import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { hasRealCatalogue, realCatalogue } from "../../pipelines/realCatalogue.ts"
import { newFolder, live } from "../../support/suite.ts"
import { cardsOf, fileOf, rightOf, tools } from "./corpus.ts"

/** How many cards of each game are drawn. */
const drawn = { magic: 20_000, fleshandblood: 5000, riftbound: 10_000 }

describe.skipIf(!hasRealCatalogue)("real cards as each tool writes them, where the real catalogue is at hand", () => {
  live(
    "are matched with the right product, or not at all",
    function* () {
      const options = { catalogue: realCatalogue, livePrices: "frozen", live: "last" } as const
      const { night, services } = yield* marketplaceAndHome(options)
      yield* night()
      const folder = yield* newFolder
      const verdicts = (name: string) =>
        Effect.gen(function* () {
          const session = yield* openLake
          yield* session.run("Open the cards", (yield* ownSql) ?? "")
          const rows = yield* session.rows(
            "List the verdicts",
            `select row::integer as row, product_id::varchar as product, verdict from collection_cards where collection = '${name}' and file_quantity > 0`
          )
          return rows.map(({ product, row, verdict }) => [Number(row), product, String(verdict)] as const)
        }).pipe(Effect.scoped, Effect.provideContext(services))
      const table: Array<Record<string, string | number>> = []
      const wrong: Array<string> = []
      for (const [game, most] of Object.entries(drawn)) {
        const cards = cardsOf(game, most)
        for (const tool of tools.filter(({ games }) => games.includes(game))) {
          const file = join(folder, "cards.csv")
          writeFileSync(file, fileOf(tool, cards))
          const options = { file, name: "corpus", add: false, game: null, currency: null }
          yield* Effect.provideContext(importCollection(options), services)
          const count = { right: 0, wrong: 0, ambiguous: 0, unknown: 0 }
          for (const [row, product, verdict] of yield* verdicts("corpus")) {
            const card = cards[row - 1]
            const right = card === undefined ? null : rightOf(tool, card)
            if (product === null) count[verdict.startsWith("ambiguous") ? "ambiguous" : "unknown"]++
            else if (product === right) count.right++
            else {
              count.wrong++
              wrong.push(`${game} ${tool.tool} row ${row}: ${String(product)} in place of ${right}, ${verdict}`)
            }
          }
          table.push({ game, tool: tool.tool, ...count })
        }
      }
      console.table(table)
      assert.deepStrictEqual(wrong.slice(0, 20), [])
      // A tool that says neither id nor number leaves many a card open.
      for (const { ambiguous, right, tool, unknown } of table)
        assert.isAbove(Number(right), (Number(ambiguous) + Number(unknown)) * 0.7, String(tool))
    },
    3_600_000
  )
})
