import { suite } from "../../support/suite.ts"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { Home } from "../../../src/store/home/Home.ts"
import { readCollectionFile } from "../../../src/desk/own/readFile.ts"
import { answerReview, isReview, reviewCollection } from "../../../src/desk/own/reviewCollection.ts"
import { restoreCollection } from "../../../src/desk/own/changeOwn.ts"
import { reviewCsv } from "../../../pipelines/print/collectionText.ts"
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
const answered = Effect.fnUntraced(function* (name: string, fill: (line: string) => string) {
  const [head = "", ...lines] = reviewCsv(yield* reviewCollection(name))
    .trimEnd()
    .split("\r\n")
  const at = head.split(",").indexOf("product_id") - head.split(",").length
  const filled = lines.map((line) => line.split(",").with(at, fill(line)).join(","))
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
    const taken = yield* answered("asked", () => "none")
    assert.strictEqual(taken.answered, 2)
    assert.deepStrictEqual(yield* reviewCollection("later").pipe(Effect.map((open) => open.length)), 2)
  })

  it("takes only products of the lake, and then changes nothing", function* () {
    yield* imported("wrong", binder)
    assert.match(yield* faultOf(answered("wrong", () => "404")), /open\.csv, line 2: the lake has no product 404/)
    assert.match(yield* faultOf(answered("wrong", () => "9.00E+15")), /line 2: .* is no product id/)
    assert.strictEqual((yield* reviewCollection("wrong")).length, 2)
  })

  it.full("is only the owner's to read", function* () {
    yield* imported("mine", binder)
    yield* answered("mine", () => "9")
    const { own } = yield* Home
    assert.include(readFileSync(join(own, "answers.json"), "utf8"), '"productId": 9')
    assert.match(yield* faultOf(reviewCollection("nothing")), /There is no collection nothing/)
  })
})
