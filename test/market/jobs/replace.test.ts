import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Served, makeTrader } from "../Served.ts"
import { imported, reported, type Trader } from "./upload.ts"
import { suite, values } from "../../support/sandbox.ts"

const head = "productId,sourceUsd,finish,condition,language,quantity,customId"
const csv = (...rows: ReadonlyArray<string>) => `${[head, ...rows].join("\n")}\n`

/** Product, finish, customId and quantity of each line. */
const stock = (trader: Trader) =>
  Effect.map(trader.api.inventory.lines({ query: { limit: 100 } }), ({ data }) =>
    values(data, "productId", "finish", "customId", "quantity")
  )

/** A seller with two lines of one product and one each of two others. */
const stocked = Effect.fnUntraced(function* (username: string) {
  const trader = yield* makeTrader(username)
  const rows = ["10007,,Standard,NM,en,2,", "10007,,Foil,NM,en,3,b", "10010,,Standard,NM,en,4,c", "10013,,,LP,ja,5,"]
  yield* imported(trader, "a.csv", csv(...rows))
  return trader
})

const before = [
  [10007, "Standard", null, 2],
  [10007, "Foil", "b", 3],
  [10010, "Standard", "c", 4],
  [10013, "Standard", null, 5]
]

const mode = { mode: "replace" }

suite(Served.layer())("replace", (it) => {
  it("fails and touches nothing when no row of the file could be imported", function* () {
    const trader = yield* stocked("nothing")
    const events = (yield* trader.events).length
    const files = {
      "empty.csv": ["", /no header/],
      "newlines.csv": ["\n\n\r\n", /no header/],
      "header.csv": [csv(), /has no rows/],
      "empty.json": ["", /cannot be read/],
      "list.json": ["[]", /has no rows/],
      "html.csv": ["<html>\n<body>no stock, sorry</body>\n</html>\n", /productId, sourceEur, sourceUsd and customId/],
      "semicolons.csv": ["productId;quantity\n10007;1\n", /productId, sourceEur, sourceUsd and customId/],
      "unknown.csv": ["product,quantity\n10007,1\n", /productId, sourceEur, sourceUsd and customId/],
      "unknown.json": ['[{"product":10007,"quantity":1}]', /1 row.* row 1: PRODUCT_NOT_FOUND/],
      "numbers.json": ["[1,2]", /2 rows.* row 1: INVALID_ROW/],
      "refused.csv": [csv("10007,,Etched,NM,en,1,", "abc,,,,,,"), /2 rows.* row 1: INVALID_FINISH/],
      "binary.csv": [
        String.fromCharCode(...Array.from({ length: 999 }, (_, at) => (at * 7919) % 256)),
        /cannot be read/
      ]
    } as const
    for (const [name, [text, why]] of Object.entries(files)) {
      const job = yield* imported(trader, name, text, mode)
      assert.strictEqual(job.status, "failed", name)
      assert.match(job.errorMessage ?? "", why, name)
      assert.deepEqual(yield* stock(trader), before, name)
    }
    const ends = (yield* trader.events).slice(events)
    assert.strictEqual(ends.length, Object.keys(files).length)
    for (const event of ends) assert.deepInclude(event, { type: "inventory.import.completed" })
    assert.deepEqual([...new Set(values(ends, "data.status"))], ["failed"])
  })

  it("leaves every line of a refused row's product alone, and zeroes the others", function* () {
    const trader = yield* stocked("refusing")
    const rows = csv("10013,,,LP,ja,6,", ...Array.from({ length: 1200 }, () => "10007,,Etched,NM,en,1,"))
    const job = yield* imported(trader, "b.csv", rows, mode)
    assert.deepEqual(job.counts, { total: 1201, succeeded: 1, failed: 1200 })
    assert.deepEqual(yield* stock(trader), [
      [10007, "Standard", null, 2],
      [10007, "Foil", "b", 3],
      [10010, "Standard", "c", 0],
      [10013, "Standard", null, 6]
    ])
    const report = yield* reported(job)
    assert.strictEqual(report.length, 1200)
    assert.match(report[0]?.message ?? "", /^INVALID_FINISH .*; lines of product 10007 are left as they are$/)
  })

  it("knows a refused row's product by a source's id, or by the customId of its line", function* () {
    const trader = yield* makeTrader("by other ids")
    // As the sample has it: 600152 of sourceUsd is 3000000419.
    const lines = ["3000000419,,Holographic,NM,en,1,", "10010,,Standard,NM,en,4,c", "10007,,Standard,NM,en,2,"]
    yield* imported(trader, "a.csv", csv(...lines))
    yield* imported(trader, "b.csv", csv("10013,,,LP,ja,6,", ",600152,,NM,en,many,", ",,,,,many,c"), mode)
    assert.deepEqual(yield* stock(trader), [
      [3000000419, "Holographic", null, 1],
      [10010, "Standard", "c", 4],
      [10007, "Standard", null, 0],
      [10013, "Standard", null, 6]
    ])
  })

  it("sets a line whose row follows a refused one of the same product, and does not add to it", function* () {
    const trader = yield* stocked("following")
    yield* imported(trader, "b.csv", csv("10007,,Etched,NM,en,1,", "10007,,Standard,NM,en,9,"), mode)
    assert.deepEqual(yield* stock(trader), [
      [10007, "Standard", null, 9],
      [10007, "Foil", "b", 3],
      [10010, "Standard", "c", 0],
      [10013, "Standard", null, 0]
    ])
  })

  for (const [what, row] of [
    ["a product's id that is no number", "abc,,Standard,NM,en,1,"],
    ["a product that neither the catalogue nor the stock has", "99999,,Standard,NM,en,1,"],
    ["a source's id that the catalogue lacks", ",99999,Standard,NM,en,1,"],
    ["a customId that no line has", ",,Standard,NM,en,1,nobody"],
    ["nothing", ",,Standard,NM,en,1,"]
  ] as const) {
    it(`sets nothing to zero when a refused row names ${what}, and reports which lines it left and why`, function* () {
      const trader = yield* stocked(`naming ${what}`)
      const job = yield* imported(trader, "b.csv", csv("10013,,,LP,ja,6,", "10010,,Etched,NM,en,1,", row, row), mode)
      assert.deepInclude(job, { status: "completed", counts: { total: 4, succeeded: 1, failed: 3 } })
      assert.deepEqual(yield* stock(trader), [...before.slice(0, 3), [10013, "Standard", null, 6]])
      const report = yield* reported(job)
      const left = report.map(({ code, row }) => `${row}${code === "LINE_LEFT" ? " left" : ""}`)
      assert.deepEqual(left, ["2", "3", "4", "3 left", "3 left"])
      const { data } = yield* trader.api.inventory.lines({ query: {} })
      assert.match(report[1]?.message ?? "", /; no line is set to 0, because it is unknown which one the row means$/)
      assert.deepEqual(values(report.slice(3), "message"), [
        `line ${data[0]?.id} of product 10007 keeps its 2 units: row 3 may mean it`,
        `line ${data[1]?.id} of product 10007 (customId b) keeps its 3 units: row 3 may mean it`
      ])
    })
  }
})
