import { assert, describe, it } from "@effect/vitest"
import { sourcePage } from "../../../src/feed/contract/sourceTitles.ts"

const cases: ReadonlyArray<readonly [home: string, game: string, id: string, page: string | null]> = [
  ["https://www.tcgplayer.com", "mtg", "4146", "https://www.tcgplayer.com/product/4146"],
  ["https://www.cardmarket.com", "mtg", "7894", "https://www.cardmarket.com/en/Magic/Products?idProduct=7894"],
  ["https://www.cardmarket.com", "hollowmere", "7894", null],
  ["https://prices.example", "mtg", "7894", null],
  ["https://www.tcgplayer.com", "mtg", "1/../../evil", null]
]

describe("a product's page at a source", () => {
  for (const [home, game, id, page] of cases) {
    it(`${id} of ${game} at ${home}: ${page ?? "none is known"}`, () => {
      assert.strictEqual(sourcePage(home, game, id), page)
    })
  }
})
