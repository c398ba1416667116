import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { heldBack, judge, sayings, holdRules } from "../../../src/store/diff/judge.ts"
import { emptyHome, type Said, snapshotOf } from "../lake/handMadeNights.ts"
import { card, type Json, sealed } from "../lake/invented.ts"
import { shared, suite } from "../../support/suite.ts"
import { tried } from "../../tried.ts"

const finish = (blocks: Json): Json => ({ pricesByFinish: { Standard: blocks } })
const eur = { currency: "EUR", low: 2 }
const priced = finish({ sourceEur: eur })
const harbour = finish({ harbour: eur })
const both = (second: string) => finish({ sourceEur: eur, [second]: { currency: "USD", low: 3 } })
const idUnder = (key: string) => ({ externalIds: { [key]: [{ finish: "Standard", id: 7 }] } })
const known = { ...priced, ...idUnder("sourceEur") }
const rune = { externalIds: { runeId: "r" } }
const twoFigures = { ...finish({ sourceEur: { ...eur, marketValue: 4 } }), rarity: "Rare" }
const figureMoved = {
  ...finish({ sourceEur: { currency: "EUR", marketValue: 5, bounds: { lowest: 2 } } }),
  rarity: "Rare"
}
const allFigures = { ...eur, mid: 3, high: 4, marketValue: 3 }
const movedLow = { currency: "EUR", mid: 3, high: 4, marketValue: 3, bounds: { lowest: 2 } }
const inBuckets = { NM: { spot: { low: 2 }, byLanguage: { en: { low: 2, units: 1 } } } }

/** Cards: this many of each kind, one after the other. */
const cards = (...kinds: ReadonlyArray<readonly [count: number, fields: Json]>) =>
  kinds
    .flatMap(([count, fields]) => Array.from({ length: count }, () => fields))
    .map((fields, index) => card(index + 1, fields))

const before = {
  priced: { products: cards([100, priced]) },
  withIds: { products: cards([100, known]) },
  bothSources: { products: cards([100, both("sourceUsd")]) },
  twoFigures: { products: cards([100, twoFigures]) },
  live: { dialect: "live", products: cards([100, { ...finish({ cardmarket: eur }), ...idUnder("cardmarket") }]) }
} satisfies Readonly<Record<string, Said>>

/** How each reason begins, in order; none: the night is published. */
type Reasons = ReadonlyArray<RegExp>

/** When a later night is held: the case, what was published, what the feed says now. */
const laterNights: ReadonlyArray<
  readonly [what: string, after: keyof typeof before, products: ReadonlyArray<Json>, reasons: Reasons]
> = [
  [
    "more than 1 % of the products have their prices under unknown keys by now",
    "priced",
    cards([98, priced], [2, harbour]),
    [
      /^2\.0 % of the products now have prices or external ids under keys that the contract does not know, so no table has them: pricesByFinish\.\*\.harbour$/
    ]
  ],
  ["1 % have", "priced", cards([99, priced], [1, harbour]), []],
  ["ids are under such keys", "withIds", cards([98, known], [2, { ...priced, ...rune }]), [/externalIds\.runeId/]],
  ["a price has a figure more", "priced", cards([100, finish({ sourceEur: { ...eur, tide: 1 } })]), []],
  [
    "one of two known sources is lost to such a key in a few products",
    "bothSources",
    cards([97, both("sourceUsd")], [3, both("harbour")]),
    [/^3\.0 % of the products now have .*: pricesByFinish\.\*\.harbour$/]
  ],
  ["new products have nothing else", "priced", cards([100, priced], [2, harbour]), [/^2\.0 %/]],
  [
    "a figure is lost to such a key in more than 1 % of the products",
    "twoFigures",
    cards([98, twoFigures], [2, figureMoved]),
    [/^2\.0 % of the products now have price figures under .*: pricesByFinish\.\*\.sourceEur\.bounds \(no low/]
  ],
  [
    "new products have a figure under such a key",
    "twoFigures",
    cards([100, twoFigures], [2, figureMoved]),
    [/^2\.0 % of the products now have price figures/]
  ],
  [
    "what most of the products had is there for none",
    "twoFigures",
    cards([100, finish({ sourceEur: { currency: "EUR", marketValue: 5 } })]),
    [
      /products\.rarity is null for all of 100, and was filled in for 100\.0 % of them/,
      /source_prices\.low of Source EUR is null for all of 100/
    ]
  ],
  [
    "prices and ids under such keys are beside those that are known",
    "withIds",
    cards([
      100,
      { ...finish({ sourceEur: eur, harbour: eur }), externalIds: { ...idUnder("sourceEur").externalIds, runeId: "r" } }
    ]),
    []
  ],
  [
    "all words are unknown: for its keys first, and the sources are called as in the published night",
    "live",
    cards([100, { ...harbour, ...idUnder("berth") }]),
    [
      /^100\.0 % of the products now have .*: externalIds\.berth, pricesByFinish\.\*\.harbour$/,
      /^Cardmarket prices 0\.0 %/
    ]
  ]
]

/** The same of a game's first night, with its unknown keys and the records that have them. */
const firstNights: ReadonlyArray<
  readonly [
    what: string,
    products: ReadonlyArray<Json>,
    drift: readonly [keys: number, records: number],
    reasons: Reasons
  ]
> = [
  [
    "all prices and ids are under unknown keys",
    [...cards([2, { ...harbour, ...rune }], [1, harbour]), sealed(4, { prices: { harbour: { low: 9 } } })],
    [3, 4],
    [/^100\.0 % of the products have .*: pricesByFinish\.\*\.harbour, externalIds\.runeId, prices\.harbour$/]
  ],
  ["more than 1 % have prices under such keys", cards([2, harbour], [98, priced]), [1, 2], [/^2\.0 % of the products/]],
  [
    "1 % have prices under such keys, and 1 % a known figure",
    cards([1, harbour], [1, finish({ sourceEur: movedLow })], [98, priced]),
    [2, 2],
    []
  ],
  [
    "more than 1 % have price figures under such keys, and a known one is nowhere beside them",
    cards([2, finish({ sourceEur: movedLow })], [98, priced]),
    [1, 2],
    [
      /^2\.0 % of the products have price figures under keys that the contract does not know, so no table has them: pricesByFinish\.\*\.sourceEur\.bounds \(no low beside it\)$/
    ]
  ],
  [
    "such figures are of sealed products, conditions, languages and grades",
    [
      ...cards(
        [50, finish({ sourceEur: { ...allFigures, byCondition: inBuckets } })],
        [50, finish({ sourceEur: { ...allFigures, byGrade: { NM: { low: 2 } } } })]
      ),
      ...[101, 102, 103].map((id) => sealed(id, { prices: { sourceEur: movedLow } }))
    ],
    [4, 103],
    [
      /(?=.*prices\.sourceEur\.bounds \(no low beside it\))(?=.*sourceEur\.byCondition\.\*\.spot \(no low, listingCount, availableQuantity beside it\))(?=.*byCondition\.\*\.byLanguage\.\*\.units \(no listingCount, availableQuantity)(?=.*pricesByFinish\.\*\.sourceEur\.byGrade \(no byCondition beside it\))/
    ]
  ],
  [
    "there are price blocks, and none has a price: 0 is none",
    cards([100, finish({ sourceEur: { currency: "EUR", cheapest: 2, marketValue: 0 } })]),
    [1, 100],
    [/price figures/, /there are price blocks \(Source EUR for 100 products\) but no price above 0 in any of them/]
  ],
  ["there are no price blocks", cards([100, {}]), [0, 0], []],
  [
    "unknown figures are beside all known ones, are texts, fields are unknown, or all unknown ids are null",
    cards(
      [50, { ...finish({ sourceEur: { ...allFigures, tide: 3, at: "2026-01-01T10:05:00" } }), mood: "dim" }],
      [50, { ...finish({ sourceEur: { ...eur, date: "2026-01-01T10:05:00" } }), externalIds: { runeId: null } }]
    ),
    [5, 100],
    []
  ]
]

const assertReasons = (found: ReadonlyArray<string>, reasons: Reasons) => {
  if (reasons.length === 0) assert.deepStrictEqual(found, [])
  for (const [at, pattern] of reasons.entries()) assert.match(found[at] ?? "", pattern, found.join("\n"))
}
const verdict = (reasons: Reasons) => (reasons.length === 0 ? "published" : "held")

const Published = shared("Published", function* () {
  const snapshots = Object.entries(before).map(([name, said]) =>
    Effect.map(snapshotOf(name, said), (one) => [name, one])
  )
  return Object.fromEntries(yield* Effect.all(snapshots)) as Record<
    keyof typeof before,
    Effect.Success<ReturnType<typeof snapshotOf>>
  >
})

suite(Layer.provideMerge(Published.layer, emptyHome), "a night after the first", (it) => {
  for (const [at, [what, after, products, reasons]] of tried([...laterNights.entries()], ([at]) => at % 2 === 0))
    it(`is ${verdict(reasons)} where ${what}`, function* () {
      const previous = (yield* Published)[after]
      const staged = yield* snapshotOf(`later-${at}`, { products }, previous)
      assertReasons(sayings(yield* judge(previous, staged, null)), reasons)
    })
})

suite(emptyHome, "a game's first night", (it) => {
  for (const [at, [what, products, [keys, records], reasons]] of tried(
    [...firstNights.entries()],
    ([at]) => at % 2 === 0
  ))
    it(`is ${verdict(reasons)} where ${what}`, function* () {
      const staged = yield* snapshotOf(`first-${at}`, { products })
      assert.deepStrictEqual(staged.manifest.drift, { keys, records })
      assertReasons(sayings(yield* judge(null, staged, null)), reasons)
    })
})

it("what is stored of a held snapshot tells that a mapping file can help, for names that changed alone", () => {
  const helps = holdRules.filter((rule) => {
    const look = typeof rule.look === "function" ? rule.look([]) : rule.look
    return heldBack([{ rule, look, says: "" }]).mappingHelps === true
  })
  assert.sameMembers(
    helps.map(({ name }) => name),
    ["strange keys", "strange figures", "emptied columns"]
  )
})
