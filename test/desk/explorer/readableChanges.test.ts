import { shared, suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { diffPrinted } from "../../../pipelines/print/diffPrinted.ts"
import type { Home } from "../../../src/store/home/Home.ts"
import type { Lake } from "../../../src/store/lake/duckdb/Lake.ts"
import { runDiff } from "../../../src/night/run/runDiff.ts"
import { emptyHome, publishNights } from "../../store/lake/handMadeNights.ts"
import { card, gameId } from "../../store/lake/invented.ts"
import { explore, tableOf } from "./explored.ts"

const eurIds = (...ids: ReadonlyArray<readonly [finish: string, id: number]>) => ({
  externalIds: { sourceEur: ids.map(([finish, id]) => ({ finish, id })) }
})
/** The first card loses German and gains French; the second has another power, loses a domain and gains a note; the third other ids. */
const night = (isLater: boolean) => ({
  products: [
    card(1, { name: "[2]", rarity: isLater ? "[4]" : "[3]", languages: isLater ? ["en", "fr", "it"] : ["en", "de"] }),
    card(2, {
      attributes: isLater
        ? { cardType: "Unit", power: 4, domains: ["Mind"], note: "new" }
        : { cardType: "Unit", power: 3, domains: ["Mind", "Body"] }
    }),
    card(3, eurIds(["Standard", 1], ["Foil", isLater ? 3 : 2])),
    card(4, { finishes: isLater ? ["Foil"] : ["Standard"] })
  ]
})

/** The lists as people read them, by field. */
const read = {
  attributes: ["power: 3; domains removed: Body", "power: 4; added: note: new"],
  "external_ids.sourceEur": ["removed: Foil 2", "added: Foil 3"],
  finishes: ["Standard", "Foil"],
  languages: ["removed: de", "added: fr, it"]
}

const Changed = shared("Changed", function* () {
  yield* publishNights([night(false), night(true)])
  const found = yield* runDiff({ gameId, from: "night0", to: "night1" })
  return { found, explored: yield* explore(yield* Effect.context<Home | Lake>()) }
})

suite(Layer.provide(Changed.layer, emptyHome), "a list that changed", (it) => {
  it("is told by what was removed and added, on the page of all changes and on the product's", function* () {
    const { page } = (yield* Changed).explored
    const fields = (rows: ReadonlyArray<ReadonlyArray<string>>) =>
      Object.fromEntries(rows.map((row) => [row.at(-3), row.slice(-2)]))
    const { rarity, ...lists } = fields(tableOf(yield* page(`/games/${gameId}/diff?show=changes`), "Changes").slice(1))
    assert.deepStrictEqual(lists, read)
    // A text is no list, whatever it looks like.
    assert.deepStrictEqual(rarity, ["[3]", "[4]"])
    const product = tableOf(yield* page(`/games/${gameId}/products/2`), "Changes by night")
    assert.deepStrictEqual(product[1]?.slice(2, 5), ["attributes", ...read.attributes])
  })

  it("is told so in release notes, in the browser, as a file and on a terminal", function* () {
    const { explored, found } = yield* Changed
    const edited = tableOf(yield* explored.page(`/games/${gameId}/diff`), "Changes of other fields").slice(1)
    for (const field of ["attributes", "finishes", "languages"] as const) {
      assert.deepStrictEqual(edited.find((row) => row[1] === field)?.slice(3, 5), read[field])
    }
    const { html } = yield* explored.page(`/games/${gameId}/diff.md`)
    for (const text of [...read.attributes, ...read.languages]) assert.include(html, text)
    assert.notInclude(html, '["en"')
    const text = diffPrinted.table(found)
    for (const word of [...read.languages, ...read["external_ids.sourceEur"]]) assert.include(text, word)
    assert.notInclude(text, '["en"')
  })

  it("is exact in files", function* () {
    const { explored, found } = yield* Changed
    const file = JSON.parse((yield* explored.page(`/games/${gameId}/diff.json`)).html) as ReadonlyArray<
      Readonly<Record<string, unknown>>
    >
    const of = (rows: ReadonlyArray<Readonly<Record<string, unknown>>>) =>
      rows.filter(({ field }) => field === "languages").map((row) => [row["old"], row["new"]])
    const exact = [['["en","de"]', '["en","fr","it"]']]
    assert.deepStrictEqual(of(file), exact)
    assert.deepStrictEqual(of(found.catalogue), exact)
  })
})
