import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import type { SnapshotFolder } from "../../../src/store/home/Manifest.ts"
import { Home } from "../../../src/store/home/Home.ts"
import { differenceOf, emptyHome, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card } from "../lake/invented.ts"
import { changelogOf, item as plainItem } from "./changelogOf.ts"
import { claimFacts } from "./claimFacts.ts"
import { suite } from "../../support/suite.ts"

const price = { pricesByFinish: { Foil: { sourceEur: { currency: "EUR", low: 1 } } } }

claimFacts("a claim where the record says the same in other words", {
  "is explained for a product, whatever its prices did": ({ item, product }) => ({
    before: {
      products: [
        product(1, "moth", { releaseDate: "2024-03-01T00:00:00.000Z" }),
        product(2, "newt", { releaseDate: "2024-03-01T00:00:00Z" }),
        product(3, "otter", { releaseDate: "2024-03-01T00:00:00Z" })
      ]
    },
    after: {
      products: [
        product(1, "moth", { releaseDate: "2024-03-01T02:00:00+02:00" }),
        product(2, "newt", { releaseDate: "2024-03-01T00:00:00.000Z", ...price }),
        product(3, "otter", { releaseDate: "2024-03-02T00:00:00+02:00" })
      ]
    },
    between: [{ products: { modified: [item("moth", 1), item("newt"), item("otter", 3)] } }],
    expected: [
      "product 1 moth: modified / - = claimed_not_seen (rewritten)",
      "product 2 newt: modified / - = claimed_not_seen (rewritten)",
      "product 3 otter: modified / modified = confirmed"
    ]
  }),
  "is explained by the order in a document, never by that of the record's keys, by an escape or by a number's form": ({
    item,
    product
  }) => ({
    before: {
      products: [
        product(1, "moth", { attributes: { power: 1, wings: { left: 1, right: 2 } } }),
        product(2, "newt", { rarity: "Rare", variant: "Foil" }),
        JSON.stringify(product(3, "otter")),
        JSON.stringify(product(4, "perch", { attributes: { power: 1 } }))
      ]
    },
    after: {
      products: [
        product(1, "moth", { attributes: { wings: { right: 2, left: 1 }, power: 1 } }),
        { variant: "Foil", rarity: "Rare", ...product(2, "newt") },
        JSON.stringify(product(3, "otter"), null, 2).replace('"otter"', String.raw`"\u006ftter"`),
        JSON.stringify(product(4, "perch", { attributes: { power: 1 } })).replace('"power":1', '"power":1.0')
      ]
    },
    between: [{ products: { modified: [item("moth", 1), item("newt", 2), item("otter", 3), item("perch", 4)] } }],
    expected: [
      "product 1 moth: modified / - = claimed_not_seen (rewritten)",
      "product 2 newt: modified / - = claimed_not_seen",
      "product 3 otter: modified / - = claimed_not_seen",
      "product 4 perch: modified / - = claimed_not_seen"
    ]
  }),
  "is explained for an expansion: another text of its date, another order in a document, its game id said or not": ({
    expansion,
    item
  }) => ({
    before: {
      expansions: [
        expansion(1, "fen", { releaseDate: "2024-03-01T00:00:00Z" }),
        expansion(2, "bog", { attributes: { block: "Marsh", size: { cards: 9, boxes: 2 } } }),
        expansion(3, "mire", { motto: { en: "Wade on", de: "Weiter" } }),
        expansion(4, "moor", { gameId: undefined }),
        expansion(5, "pond", { releaseDate: "2024-03-01T00:00:00Z" }),
        expansion(6, "sump", { logoUrl: "https://example.com/6.png" })
      ]
    },
    after: {
      expansions: [
        expansion(1, "fen", { releaseDate: "2024-03-01T02:00:00+02:00" }),
        expansion(2, "bog", { attributes: { size: { boxes: 2, cards: 9 }, block: "Marsh" } }),
        expansion(3, "mire", { motto: { de: "Weiter", en: "Wade on" } }),
        expansion(4, "moor"),
        { releaseDate: "2024-03-01T00:00:00Z", ...expansion(5, "pond") },
        expansion(6, "sump", { logoUrl: "https://example.com/six.png", releaseDate: "2024-03-01T00:00:00Z" })
      ]
    },
    between: [
      {
        expansions: {
          modified: [item("fen", 1), item("bog"), item("mire", 3), item("moor"), item("pond", 5), item("sump", 6)]
        }
      }
    ],
    expected: [
      "expansion 1 fen: modified / - = claimed_not_seen (rewritten)",
      "expansion 2 bog: modified / - = claimed_not_seen (rewritten)",
      "expansion 3 mire: modified / - = claimed_not_seen (rewritten)",
      "expansion 4 moor: modified / - = claimed_not_seen (rewritten)",
      "expansion 5 pond: modified / - = claimed_not_seen",
      "expansion 6 sump: modified / modified = confirmed"
    ]
  })
})

suite(emptyHome, "a claim about a product", (it) => {
  const dated = (name: string, releaseDate: string, more: Said = {}, previous: SnapshotFolder | null = null) => {
    const claims = { products: { modified: [plainItem("moth", 1)] } }
    const changelog = previous === null ? changelogOf({}) : changelogOf({}, claims)
    const products = [card(1, { name: "moth", nameSlug: "moth", releaseDate })]
    return snapshotOf(name, { products, changelog, ...more }, previous)
  }
  const explained = Effect.fnUntraced(function* (first: SnapshotFolder, second: SnapshotFolder) {
    const { changes, reconciliations } = yield* differenceOf(first, second)
    return [changes, reconciliations.map((row) => row["explanation"])]
  })
  const noon = "2024-03-01T12:00:00Z"
  const noonInParis = "2024-03-01T13:00:00+01:00"

  it("is explained while the raw pages of both nights are there", function* () {
    const first = yield* dated("2026c", noon)
    const second = yield* dated("2026d", noonInParis, {}, first)
    assert.deepStrictEqual(yield* explained(first, second), [[], ["rewritten"]])
    rmSync((yield* Home).raw(first.manifest.gameId, first.manifest.runId), { recursive: true })
    assert.deepStrictEqual(yield* explained(first, second), [[], [null]])
  })

  it("is not explained between nights in different dialects", function* () {
    const first = yield* dated("2026e", noon)
    const second = yield* dated("2026f", noonInParis, { dialect: "live" }, first)
    assert.deepStrictEqual(yield* explained(first, second), [[], [null]])
  })
})
