import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { readCollectionFile } from "../../../src/desk/own/readFile.ts"
import { answerReview, isReview, reviewCollection } from "../../../src/desk/own/reviewCollection.ts"
import { restoreCollection } from "../../../src/desk/own/changeOwn.ts"
import { answeredText, candidateText, reviewCsv, reviewText } from "../../../pipelines/print/collectionText.ts"
import { gameId } from "../../store/lake/invented.ts"
import { cardsOf, faultOf, imported, Shelf } from "./Shelf.ts"

const header = "Quantity,Name,Finish,Edition Code"
const rows = [
  "2,Reed Colossus,Normal,fen",
  "1,Reed Colossus,Normal,fen",
  "1,Glimmer,Foil,zzz",
  "4,Wicker Hound,Foil,fen"
]
const binder = `${header}\n${rows.join("\n")}\n`

/** Fills the column product_id of a review's CSV and imports that. */
const answered = Effect.fnUntraced(function* (
  name: string,
  fill: (line: string) => string,
  key: (key: string) => string = (same) => same
) {
  const [head = "", ...lines] = reviewCsv(yield* reviewCollection(name))
    .trimEnd()
    .split("\r\n")
  const at = head.split(",").indexOf("product_id") - head.split(",").length
  const filled = lines.map((line) => {
    const cells = line.split(",").with(at, fill(line))
    const last = cells.pop() ?? ""
    return `${cells.join(",")},${key(last)}`
  })
  const file = join((yield* Shelf).folder, "open.csv")
  writeFileSync(file, [head, ...filled].join("\r\n"))
  const read = yield* readCollectionFile(file)
  assert.isTrue(isReview(read))
  return yield* answerReview(read, file)
})

suite(Shelf.layer, "a review", (it) => {
  it("lists what is open once, with its reason, its cards and the products that it can be", function* () {
    yield* imported("listed", binder)
    const open = yield* reviewCollection("listed")
    assert.deepStrictEqual(
      open.map((one) => [one.reason, one.name, one.rows, one.cards, one.candidates.map((c) => c.product_id)]),
      [
        ["ambiguous: several products", "Reed Colossus", 2, 3, ["5", "6"]],
        ["unknown: of a set that this lake does not have", "Glimmer", 1, 1, ["9"]]
      ]
    )
    assert.deepStrictEqual(
      open[0]?.candidates.map((one) => one.market_value),
      ["1.0000", "2.0000"]
    )
  })

  it("is answered by its own file, for these rows and those of later imports, until the answer is taken back", function* () {
    yield* imported("asked", binder)
    const { collections } = yield* answered("asked", (line) => (line.includes("Colossus") ? "6" : "9"))
    assert.deepStrictEqual(
      collections
        .filter(({ name }) => name === "asked")
        .map(({ imports }) => imports.map(({ matched, quantity }) => [matched, quantity])),
      [[[4, 8]]]
    )
    const all = ["1 | Foil | 4", "6 | Standard | 1", "6 | Standard | 2", "9 | Foil | 1"]
    assert.deepStrictEqual(yield* cardsOf("asked"), all)
    yield* imported("later", binder)
    assert.deepStrictEqual(yield* cardsOf("later"), all)
    yield* restoreCollection("asked")
    const taken = yield* answered("asked", () => "ask")
    assert.deepInclude(taken, { answered: 0, takenBack: 2, none: 0 })
    assert.deepStrictEqual(yield* reviewCollection("later").pipe(Effect.map((open) => open.length)), 2)
  })

  it("answered with none is no product in later imports, too, and is listed again once that is taken back", function* () {
    const lines = `${header}\n1,Glimmer,Foil,qqq\n2,Reed Colossus,Etched,fen\n`
    yield* imported("neither", lines)
    const made = yield* answered("neither", () => "none")
    assert.deepInclude(made, { answered: 0, takenBack: 0, none: 2 })
    assert.match(
      answeredText(made),
      /^2 answers say that no product of this lake is meant: later imports use them, too/
    )
    const later = yield* imported("neither later", lines, { game: gameId })
    assert.deepInclude(later, { matched: 0, unknown: 2, open: 0 })
    assert.deepStrictEqual(later.verdicts, [
      { verdict: "unknown: by your answer no product of this lake", rows: 2, cards: 3 }
    ])
    assert.deepStrictEqual(yield* reviewCollection("neither later"), [])
    yield* restoreCollection("neither")
    const taken = yield* answered("neither", (line) => (line.includes("Glimmer") ? "ask" : "6"))
    assert.deepInclude(taken, { answered: 1, takenBack: 1, none: 0 })
    assert.deepStrictEqual(yield* cardsOf("neither later"), ["6 | null | 2", "null | null | 1"])
  })

  it.full("holds for an import that names the game of the same rows", function* () {
    yield* imported("untold", `${header}\n2,Reed Colossus,Normal,FEN\n`)
    yield* answered("untold", () => "6")
    yield* imported("told", `${header}\n2,Reed Colossus,Normal,FEN\n`, { game: gameId })
    assert.deepStrictEqual(yield* cardsOf("told"), ["6 | Standard | 2"])
  })

  it("prints the worth and the doubts of what it answers, like the import", function* () {
    yield* imported("valued", "product_id,name,finish,quantity,paid\n1,,Gold,1,2\n,Reed Colossus,,2,1\n")
    const made = yield* answered("valued", () => "6")
    const text = answeredText(made)
    const [result] = made.results
    const worth = { worth: "1234.5650", estimated: "0.0049", conditionUnknown: "2.0000", leftOut: [] }
    assert.include(
      answeredText({
        ...made,
        results: result === undefined ? [] : [{ ...result, worth: { ...result.worth, ...worth } }]
      }),
      "Worth: €1,234.57; of this €0.00 estimated (price of another condition); not included: €2.00"
    )
    assert.match(text, /^1 answer stored; later imports use it, too/)
    assert.include(text, "1 row matched, but the product is not known in that finish")
    assert.include(text, "2 rows with a price paid in an unknown currency")
    assert.include(text, "Worth: €4.00\nCards that are not in the worth: finish not known 1")
  })

  it.full("shows the id of a row that has nothing else, in the list and in its file", function* () {
    yield* imported("ids", "idProduct,Quantity,Scryfall ID\n9999,1,\n,1,5A3B0000-0000-4000-8000-000000000099\n")
    const open = yield* reviewCollection("ids")
    const ids = ["mtgId 5a3b0000-0000-4000-8000-000000000099", "sourceEur 9999"]
    assert.deepStrictEqual(open.map((one) => one.ids).toSorted(), ids)
    for (const id of ids) {
      assert.include(reviewText("ids", open), `  ${id} (1 card): unknown: nothing here has its id`)
      assert.include(reviewCsv(open), `,${id},`)
    }
  })

  it("proposes each product in the row's finish, and says which finish a price is of", function* () {
    yield* imported("finishes", `${header}\n1,Wicker Hound,Foil,zzz\n1,Wicker Hound,Normal,zzz\n1,Glimmer,Normal,zzz\n`)
    const open = yield* reviewCollection("finishes")
    assert.deepStrictEqual(
      open
        .map(({ candidates, finish_said: finish }) => `${finish}: ${candidates.map(candidateText).join("; ")}`)
        .toSorted(),
      [
        "foil: 1 Wicker Hound FEN 007, Foil: €12.34 (another set)",
        "normal: 1 Wicker Hound FEN 007, Standard: €2.50 (another set)",
        "normal: 9 Glimmer FEN 81, Foil: €6.00 (another set, not in this finish)"
      ]
    )
  })

  it.full("without a column that answers need is no collection, and changes nothing", function* () {
    yield* imported("columns", binder)
    const lines = reviewCsv(yield* reviewCollection("columns"))
      .trimEnd()
      .split("\r\n")
    const without = (places: ReadonlyArray<number>) =>
      lines.map((line) => line.split(",").filter((_, place) => !places.includes(place - line.split(",").length)))
    const file = join((yield* Shelf).folder, "cut.csv")
    for (const [places, missing] of [
      [[-1], "answer_key"],
      [[-2], "product_id"]
    ] as const) {
      writeFileSync(file, without(places).join("\n"))
      const read = yield* readCollectionFile(file)
      assert.isTrue(isReview(read))
      const reason = yield* faultOf(answerReview(read, file))
      assert.match(
        reason,
        new RegExp(`cut\\.csv, line 1: .* column ${missing} is missing.*collection review.*Nothing was changed`)
      )
    }
    assert.match(
      yield* faultOf(
        answered(
          "columns",
          () => "9",
          () => ""
        )
      ),
      /open\.csv, line 2: .* no answer_key/
    )
    const changed = answered(
      "columns",
      () => "9",
      (key) => `${key}0`
    )
    assert.include(answeredText(yield* changed), "2 of them fit no row of your collections")
  })

  it("takes only products of the lake, and then changes nothing", function* () {
    yield* imported("wrong", binder)
    assert.match(yield* faultOf(answered("wrong", () => "404")), /open\.csv, line 2: the lake has no product 404/)
    assert.match(yield* faultOf(answered("wrong", () => "9.00E+15")), /line 2: .* is no product id/)
    assert.strictEqual((yield* reviewCollection("wrong")).length, 2)
  })

  it.full("is only the owner's to read", function* () {
    yield* imported("mine", `${header}\n1,Glimmer,Foil,yyy\n`)
    yield* answered("mine", () => "9")
    const { own } = yield* Home
    assert.include(readFileSync(join(own, "answers.json"), "utf8"), '"productId": 9')
    assert.match(yield* faultOf(reviewCollection("nothing")), /There is no collection nothing/)
  })
})
