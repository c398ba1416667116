import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Cause, Effect } from "effect"
import {
  addWatch,
  type NewWatch,
  readWatchlist,
  removeWatch,
  watchHits,
  watchSql
} from "../../../src/desk/own/Watchlist.ts"
import { queryNamed } from "../../../src/desk/explorer/queryNamed.ts"
import { openLake } from "../../../src/store/lake/publish/openLake.ts"
import { faultOf, ownRows, Shelf } from "./Shelf.ts"

const nothing = {
  set: null,
  gameId: null,
  finish: null,
  source: null,
  below: null,
  above: null,
  percent: null,
  days: 7
} as const

/** Watches one thing alone, and says which prices have which hits. */
const hitsOf = (watch: Partial<NewWatch> & { readonly product: string }) =>
  Effect.gen(function* () {
    const added = yield* addWatch({ ...nothing, ...watch })
    const prices = yield* watchHits()
    yield* removeWatch(added.number)
    return prices.map(
      (price) =>
        `${String(price["finish"])} ${String(price["price"])} ${String(price["hit"])} ${String(price["is_new"])}`
    )
  })

// 1 in Standard is 2, 3, 2.50; in Foil 10, 10, 12.34. 12 has its first price, 20, on the last night.
suite(Shelf.layer, "what is watched", (it) => {
  it("is on its page with how far it is from its bounds", () =>
    Effect.gen(function* () {
      const two = { product: "1", finish: "Standard", below: "2", above: "3" }
      const added = [
        yield* addWatch({ ...nothing, ...two }),
        yield* addWatch({ ...nothing, product: "14", below: "1" })
      ]
      const session = yield* openLake
      yield* session.run("Open the watchlist", watchSql((yield* readWatchlist).watched) ?? "")
      const rows = yield* session.rows("Read it", queryNamed("own/watched"))
      yield* Effect.forEach(added, ({ number }) => removeWatch(number), { discard: true })
      assert.deepStrictEqual(
        rows.map((row) => [row["name"], row["bounds"], row["still"]]),
        [
          ["Wicker Hound", "below 2 or above 3", "a fall of 20.00 % or a rise of 20.00 %"],
          ["Unpriced", "below 1", "no price now"]
        ]
      )
    }).pipe(Effect.scoped))

  const cases: ReadonlyArray<
    readonly [what: string, watch: Parameters<typeof hitsOf>[0], expected: ReadonlyArray<string>]
  > = [
    [
      "is told below its bound",
      { product: "1", finish: "Standard", below: "2.75" },
      ["Standard 2.5000 below 2.75 true"]
    ],
    ["is not told at its bound", { product: "1", finish: "Standard", below: "2.5" }, ["Standard 2.5000  false"]],
    ["is not new if it was there before", { product: "1", finish: "Foil", above: "9" }, ["Foil 12.3400 above 9 false"]],
    ["is told above its bound", { product: "1", finish: "Foil", above: "12" }, ["Foil 12.3400 above 12 true"]],
    // 2.50 against 3 is −16.67 %, against 2 it is +25 %; the night before, 3 against 2 was +50 %.
    [
      "is told of a move in a day",
      { product: "1", finish: "Standard", percent: "16.6", days: 1 },
      ["Standard 2.5000 moved 16.6 % or more false"]
    ],
    [
      "counts a move from the first night, if it is young",
      { product: "1", finish: "Standard", percent: "25", days: 30 },
      ["Standard 2.5000 moved 25 % or more false"]
    ],
    [
      "is not told of a smaller move",
      { product: "1", finish: "Standard", percent: "16.67", days: 1 },
      ["Standard 2.5000  false"]
    ],
    ["is new with its first price", { product: "12", above: "19.99" }, ["Standard 20.0000 above 19.99 true"]],
    ["has no row without a price", { product: "14", above: "1" }, []],
    ["is asked of a source alone", { product: "13", source: "sourceEur", above: "1" }, []],
    [
      "is each finish, unless one is named",
      { product: "1", above: "5" },
      ["Foil 12.3400 above 5 false", "Standard 2.5000  false"]
    ]
  ]
  for (const [what, watch, expected] of cases) {
    it(what, () => Effect.map(hitsOf(watch), (hits) => assert.deepStrictEqual(hits, expected)))
  }

  it("says how far the price can be trusted", () =>
    Effect.gen(function* () {
      const { number } = yield* addWatch({ ...nothing, product: "12", above: "1" })
      const [price] = yield* watchHits()
      yield* removeWatch(number)
      assert.strictEqual(price?.["flags"], "single source")
    }))

  it("is there once, however often it is added", () =>
    Effect.gen(function* () {
      const first = yield* addWatch({ ...nothing, product: "1", finish: "Foil", below: "1" })
      const again = yield* addWatch({ ...nothing, product: "1", finish: "foil", below: "1" })
      assert.strictEqual(again.number, first.number)
      assert.lengthOf((yield* readWatchlist).watched, 1)
      yield* removeWatch(first.number)
    }))

  const refused: ReadonlyArray<readonly [Parameters<typeof hitsOf>[0], RegExp]> = [
    [{ product: "999", below: "1" }, /The lake has no product 999\. Find its id with: cardlake search/],
    [{ product: "1" }, /Pass a limit: --below, --above or --percent/],
    [
      { product: "1", finish: "Gold", below: "1" },
      /Product 1 has no finish Gold\. Choose one with --finish: Standard, Foil/
    ]
  ]
  for (const [watch, reason] of refused) {
    it(`is refused: ${reason.source}`, () =>
      Effect.map(Effect.flip(hitsOf(watch)), ({ message }) => assert.match(message, reason)))
  }
})

suite(Shelf.layer, "a product's name", (it) => {
  it("is enough to watch it where one product has it, in its set if several do", function* () {
    const watched = (product: string, set: string | null = null) => addWatch({ ...nothing, product, set, below: "1" })
    for (const [product, set, productId] of [
      ["dollar fish", null, 13],
      ["Aether", "m71", 3],
      ["Wicker", "Fen of Reeds", 1]
    ] as const) {
      const added = yield* watched(product, set)
      assert.deepInclude(added, { productId, gameId: "hollowmere" })
      yield* removeWatch(added.number)
    }
    const two = yield* faultOf(watched("Æther Vial"))
    assert.match(
      two,
      /is 2 products: 3 Æther Vial M71 3; 4 Æther Vial FEN 44\. Name its set with --set, or its id: cardlake watch add 3/
    )
    assert.match(yield* faultOf(watched("Nobody", "FEN")), /The lake has no Nobody in FEN/)
  })

  it("is what price_series and set_value_series take, too, with the source that has prices", function* () {
    const series = (call: string) => ownRows(`select distinct product_id, source from price_series(${call})`)
    assert.deepStrictEqual(yield* series("'Dollar Fish'"), ["13 | sourceUsd"])
    assert.deepStrictEqual(yield* series("13, source_name := 'sourceEur'"), ["13 | sourceEur"])
    assert.deepStrictEqual(yield* series("'FEN 85'"), ["13 | sourceUsd"])
    assert.deepStrictEqual(yield* series("'Wicker'"), ["1 | sourceEur"])
    const sets = (call: string) => ownRows(`select distinct expansion_id from set_value_series(${call})`)
    assert.deepStrictEqual(
      [yield* sets("'fen'"), yield* sets("'Marsh 71'"), yield* sets("72")],
      [["72"], ["71"], ["72"]]
    )
  })

  for (const [call, reason] of [
    ["price_series('Æther Vial')", /is 2 products, such as 3 = Æther Vial \(M71 3\); 4 = .*price_series\(3\)/],
    ["price_series('Nobody')", /price_series: no product is called Nobody/],
    ["set_value_series('XYZ')", /set_value_series: no expansion has the code or name XYZ/]
  ] as const)
    it(`is refused with what it can be: ${call}`, function* () {
      const fault = yield* Effect.flip(Effect.sandbox(ownRows(`from ${call}`)))
      assert.match(String(Cause.pretty(fault)), reason)
    })
})
