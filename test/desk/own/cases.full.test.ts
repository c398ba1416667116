import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { importCollection } from "../../../src/desk/own/importCollection.ts"
import { ownSql } from "../../../src/desk/own/Own.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { marketplaceAndHome } from "../../pipelines/nights.ts"
import { live } from "../../support/suite.ts"

/** Files of the shape that tools write, beside the project and never part of it. */
const files = fileURLToPath(new URL("../../../../shared/cases/files", import.meta.url))
const isThere = existsSync(join(files, "README.md"))
if (!isThere) console.warn(`Skipped: there are no files in ${files}`)

/** Each file with columns of its cards and what is right: by hand, from the description beside the files. */
const right: ReadonlyArray<readonly [file: string, columns: string, rows: ReadonlyArray<string>]> = [
  ["any-spreadsheet.csv", "product_id, finish, cards", ["105 Foil 2", "110 Standard 1"]],
  ["card-list.txt", "product_id, finish, cards", ["105 Foil 4", "110 Standard 2", "109 Standard 1"]],
  [
    "cardmarket-condition-numbers.csv",
    "product_id, condition",
    ["NM", "NM", "LP", "MP", "LP", "HP", "DMG"].map((code) => `105 ${code}`)
  ],
  [
    "cardmarket-stock-questions.csv",
    "product_id, finish, cards, is_signed, is_altered",
    ["105 Foil 1 false false", "110 Standard 8 false false", "109 Standard 1 true true"]
  ],
  ["deckbox-mana-cost.csv", "product_id, cards, paid", ["105 2 null", "110 1 null"]],
  ["dragon-shield-without-spaces.csv", "product_id, finish, cards", ["105 Foil 2"]],
  [
    "echomtg.csv",
    "product_id, finish, cards, condition, paid, added",
    ["105 Standard 2 DMG 1.2500 2024-01-02", "105 Foil 1 DMG 1.2500 2024-01-02"]
  ],
  [
    "excel-in-german.csv",
    "product_id, finish, cards, is_altered, paid, paid_currency",
    ["105 Foil 2 true 1234.5000 EUR"]
  ],
  ["fabrary.csv", "product_id, finish, cards", ["201 Standard 3", "202 Rainbow Foil 1", "203 Standard 0"]],
  ["front-face.csv", "product_id, finish, cards", ["111 Standard 2", "111 Foil 1"]],
  ["game-with-an-ampersand.csv", "product_id, finish, cards", ["201 Rainbow Foil 4"]],
  ["moxfield-chosen-columns.csv", "product_id, finish, cards", ["105 Standard 2", "110 Foil 1"]],
  ["number-of-another-print.csv", "coalesce(product_id, 0) in (101, 104), cards", ["false 1", "true 2", "true 1"]],
  ["riftbound-gg.csv", "product_id, finish, cards", ["105 Standard 3", "105 Foil 1", "110 Foil 2"]],
  ["set-not-here.csv", "product_id, cards", ["null 4", "null 1", "109 1"]],
  ["tcgplayer-app-2026.csv", "product_id, finish, cards", ["105 Standard 3", "105 Foil 2", "110 Standard 4"]],
  ["tool-of-one-game.csv", "product_id, cards", ["null 3", "null 1"]]
]

describe.skipIf(!isThere)("files of ../shared/cases/files", () => {
  live(
    "are read as a person reads them",
    Effect.fnUntraced(function* () {
      const { night, services } = yield* marketplaceAndHome({ catalogue: join(files, "catalogue") })
      yield* night()
      const rowsOf = Effect.fnUntraced(function* (sql: string) {
        const session = yield* openLake
        yield* session.run("Open your own cards", (yield* ownSql) ?? "")
        const reader = yield* Effect.promise(() => session.connection.runAndReadAll(sql))
        return reader.getRowsJson().map((row) => row.map((cell) => (cell === null ? "null" : String(cell))).join(" "))
      }, Effect.scoped)
      for (const [name, columns, expected] of right) {
        const options = { file: join(files, name), name, add: false, game: null, currency: null }
        yield* Effect.provideContext(importCollection(options), services)
        const sql = `select ${columns} from collection_cards where collection = '${name}' order by row, finish = 'Foil'`
        assert.deepStrictEqual(yield* Effect.provideContext(rowsOf(sql), services), expected, name)
      }
    }, Effect.scoped),
    300_000
  )
})
