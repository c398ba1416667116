import { assert } from "@effect/vitest"
import { differenceOf, emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { card, type Json } from "../lake/invented.ts"
import { suite } from "../../support/suite.ts"

/** Two spellings of attributes, as raw text, and whether they say the same; diffRules.test.ts draws other values. */
const pairs: ReadonlyArray<readonly [before: string, after: string, same: boolean]> = [
  ['{"a":1,"b":{"c":1,"d":2}}', '{"b":{"d":2,"c":1},"a":1}', true],
  ['{"a":1.0}', '{"a":1}', true],
  ['{"a":1e2}', '{"a":100.00}', true],
  ['{"a":0}', '{"a":-0.0}', true],
  ['{"a":null}', '{"a":"null"}', false],
  ['{"a":9007199254740991}', '{"a":9007199254740990}', false],
  ['{"a":"x y"}', '{"a":"x  y"}', false]
]

const text = (id: number, attributes: string) =>
  JSON.stringify(card(id)).replace('"attributes":{}', `"attributes":${attributes}`)
const texts: ReadonlyArray<readonly [before: Json, after: Json]> = [
  [{}, { variant: "NULL" }],
  [{ variant: "" }, {}],
  [
    { name: "a, b", nameSlug: "c" },
    { name: "a", nameSlug: "b, c" }
  ],
  [{ languages: ["en, ja"] }, { languages: ["en", "ja"] }],
  [
    { rarity: "rare", variant: "x" },
    { rarity: "x", variant: "rare" }
  ]
]

suite(emptyHome, "a difference", (it) => {
  it("of attributes is one of what they say, not of how they are spelled", function* () {
    const a = yield* snapshotOf("a", { products: pairs.map(([before], index) => text(index + 1, before)) })
    const b = yield* snapshotOf("b", { products: pairs.map(([, after], index) => text(index + 1, after)) })
    const { changes } = yield* differenceOf(a, b)
    assert.deepStrictEqual(
      changes.map((row) => [row["field"], row["old"], row["new"]]),
      pairs.filter(([, , same]) => !same).map(([before, after]) => ["attributes", before, after])
    )
  })

  it("is not hidden by words that look like the text of another record", function* () {
    const c = yield* snapshotOf("c", { products: texts.map(([before], index) => card(index + 1, before)) })
    const d = yield* snapshotOf("d", { products: texts.map(([, after], index) => card(index + 1, after)) })
    const { changes } = yield* differenceOf(c, d)
    assert.deepStrictEqual([...new Set(changes.map((row) => row["id"]))], ["1", "2", "3", "4", "5"])
  })
})
