import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { suite, values } from "../../support/sandbox.ts"
import { ask, Served, makeTrader } from "../Served.ts"
import { ended, imported, reported, type Trader, upload } from "./upload.ts"

const columns = "productId,finish,condition,language,quantity"
const csv = (...rows: ReadonlyArray<string>) =>
  `${[`${columns},customId,comment,listingPrice,listingCurrency`, ...rows].join("\n")}\n`

const good = { productId: 10007, finish: "Standard", condition: "NM", language: "en", quantity: 1 }
const line = "10007,Standard,NM,en,1"
const more = 1024 * 1024 + 1

/** Files with one row that is longer than 1 MB, and where it is. */
const endless = {
  "objects.json": [`[${JSON.stringify(good)},{"tags":[{}${",{}".repeat(more / 2)}]}]`, "row 2"],
  "text.json": [`[{"comment":"${"x".repeat(more)}"}]`, "row 1"],
  "key.json": [`[{"${"x".repeat(more)}":1}]`, "row 1"],
  "bare.json": [`[1,"${"x".repeat(more)}"]`, "row 2"],
  "separators.csv": [`${columns}\n${line}\n${",".repeat(more)}\n`, "the row in line 3"],
  "returns.csv": [`${columns}\n${line},"\n${",".repeat(more)}"\n`, "the row in line 2"],
  "header.csv": [`${",".repeat(more)}\n${line}\n`, "the row in line 1"],
  "quote.csv": [`${columns}\n10007,"Standard,NM,en,1\n${`${line}\n`.repeat(more / 20)}`, "the row in line 2"]
} as const

const linesOf = (trader: Trader) =>
  Effect.map(trader.api.inventory.lines({ query: { limit: 100 } }), ({ data }) => data)
/** CustomId, quantity and price of each line. */
const stock = (trader: Trader) =>
  Effect.map(linesOf(trader), (lines) => values(lines, "customId", "quantity", "listing.price.amount"))
const quantities = (trader: Trader) => Effect.map(linesOf(trader), (lines) => values(lines, "quantity"))
const codes = (job: Parameters<typeof reported>[0]) =>
  Effect.map(reported(job), (report) => report.map(({ code, row }) => `${row} ${code}`))

suite(Served.layer())("an import", (it) => {
  it("of an account that does not sell is its stock; only a row with a price is refused", function* () {
    const trader = yield* makeTrader("collector", null)
    const rows = csv("10007,Standard,NM,en,2,,,,", "10010,Foil,LP,en,1,,,1.50,EUR", "10010,Foil,LP,,1,,,,")
    const job = yield* imported(trader, "a.csv", rows)
    assert.deepEqual(yield* codes(job), ["2 SELLER_ACCOUNT_NOT_ACTIVE", "3 INVALID_LANGUAGE"])
    assert.deepEqual(yield* stock(trader), [[null, 2, undefined]])
  })

  it("has rows that fail in a report, and fails for none", function* () {
    const trader = yield* makeTrader("reporter")
    const failing = {
      "1,Standard,NM,en,1,,,,": "PRODUCT_NOT_FOUND",
      "10007,Etched,NM,en,1,,,,": "INVALID_FINISH",
      "10007,Standard,NM,en,-1,,,,": "INVALID_QUANTITY",
      "10007,Standard,,en,1,,,,": "CONDITION_REQUIRED",
      "10007,Standard,NM,en,1,,,2.999,EUR": "INVALID_ROW",
      "10007,Standard,NM,en,1,,,2.99,": "INVALID_ROW",
      "10007,Standard,NM,en,1,,,2.99,USD": "CURRENCY_MISMATCH",
      "abc,Standard,NM,en,1,,,,": "INVALID_ROW",
      "10007,Standard,MINT,en,1,,,,": "INVALID_ROW"
    }
    const job = yield* imported(trader, "a.csv", csv("10007,Standard,NM,en,1,,,,", ...Object.keys(failing)))
    assert.deepInclude(job, { status: "completed", progress: 100, errorMessage: null, downloadUrl: null })
    assert.deepEqual(job.counts, { total: 10, succeeded: 1, failed: 9 })
    const expected = Object.values(failing).map((code, at) => `${at + 2} ${code}`)
    assert.deepEqual(yield* codes(job), expected)
  })

  it("takes a file with a byte order mark, empty cells, nulls and columns that it does not know", function* () {
    const rows = csv("10007,Standard,NM,en,2,x,fine,3,EUR", "10013,,LP,ja,1,,,,")
    const listed = { customId: "x", comment: "fine", listingPrice: 3, listingCurrency: "EUR" }
    const json = JSON.stringify([
      { ...good, quantity: 2, ...listed },
      { productId: "10013", finish: null, condition: "LP", language: "ja", quantity: 1, unknown: true }
    ])
    const files = [
      ["a.json", json, {}],
      ["a", new Uint8Array(gzipSync(`\uFEFF${rows}`)), { format: "csv" }]
    ] as const
    for (const [name, content, fields] of files) {
      const trader = yield* makeTrader(`format ${name}`)
      const { job } = yield* upload(trader, name, content, fields)
      yield* ended(trader, job.id)
      const lines = JSON.stringify(yield* stock(trader))
      assert.strictEqual(lines, '[["x",2,3],[null,1,null]]', name)
    }
  })

  it("of a broken file changes nothing, fails and says why", function* () {
    const trader = yield* makeTrader("breaker")
    const files = [
      ["a.csv", `${csv("10007,Standard,NM,en,1,,,,")}10007,"Standard,NM`, {}],
      ["a.json", `[${JSON.stringify(good)},{"prod`, {}],
      ["b.json", '{"productId":10007}', {}],
      ["twice.csv", "productId,quantity,finish,condition,language,quantity\n10007,1,Standard,NM,en,9\n", {}],
      ["a.gz", new Uint8Array([0x1f, 0x8b, 1, 2, 3]), { format: "json" }]
    ] as const
    const why = /^The file cannot be read: .+[^.]\. Correct the file and import it again$/
    for (const [name, content, fields] of files) {
      const { job } = yield* upload(trader, name, content, fields)
      const failed = yield* ended(trader, job.id)
      assert.deepInclude(failed, { status: "failed", counts: null, errorReportUrl: null }, name)
      assert.match(failed.errorMessage ?? "", why, name)
    }
    assert.deepEqual(yield* stock(trader), [])
    for (const { data } of yield* trader.events)
      assert.deepInclude(data, { status: "failed", counts: { total: 0, succeeded: 0, failed: 0 } } as never)
  })

  it.full("with a row that is longer than 1 MB fails the job, which says where, and nothing is imported", function* () {
    const trader = yield* makeTrader("endless")
    for (const [name, [text, where]] of Object.entries(endless)) {
      const format = name.endsWith("csv") ? "csv" : "json"
      const { job } = yield* upload(trader, name, new Uint8Array(gzipSync(text, { level: 1 })), { format })
      assert.deepInclude(yield* ended(trader, job.id), {
        status: "failed",
        errorMessage: `The file cannot be read: ${where} is longer than 1 MB. Correct the file and import it again`
      })
    }
    assert.deepEqual(yield* quantities(trader), [])
  })

  it("has a row that is just as long as it may be", function* () {
    const trader = yield* makeTrader("longest")
    const text = "x".repeat(1024 * 1024 - 1000)
    const json = yield* imported(trader, "a.json", JSON.stringify([{ ...good, unknown: text }, good]))
    assert.deepEqual(json.counts, { total: 2, succeeded: 2, failed: 0 })
    const csv = yield* imported(trader, "a.csv", `${columns},unknown\n${line},${text}\n${line},\n`)
    assert.deepEqual(csv.counts, { total: 2, succeeded: 2, failed: 0 })
    assert.deepEqual(yield* quantities(trader), [4])
  })

  it("refuses a row alone that has a list or an object where a text belongs", function* () {
    const trader = yield* makeTrader("strange")
    const deep = `${"[".repeat(20_000)}${"]".repeat(20_000)}`
    const rows = [
      { ...good, productId: { toString: 1 } },
      { ...good, quantity: "deep" },
      { ...good, customId: [] },
      { ...good, condition: {} },
      { ...good, listingPrice: { valueOf: 1 }, listingCurrency: "EUR" },
      { ...good, tags: [{ toString: null }] },
      { ...good, tags: "deep" },
      { ...good, tags: Array.from({ length: 51 }, () => "x") },
      { ...good, gradedGrade: {} },
      { ...good, language: "🂡".repeat(2001) },
      null,
      [good],
      "10007"
    ]
    const job = yield* imported(trader, "a.json", JSON.stringify([...rows, good]).replaceAll('"deep"', deep))
    assert.deepEqual(job.counts, { total: 14, succeeded: 1, failed: 13 })
    const report = yield* reported(job)
    const expected = Array.from(rows, (_, at) => `${at + 1} INVALID_ROW`)
    assert.deepEqual(yield* codes(job), expected)
    assert.strictEqual(report[0]?.message, "productId: expected text or a number")
    assert.strictEqual(report[10]?.message, "the row is not an object")
    assert.isTrue(report.every(({ message }) => message.length <= 300))
    assert.deepEqual(yield* quantities(trader), [1])
  })

  it("refuses such a row of a preset's file alone, too", function* () {
    const trader = yield* makeTrader("strange preset")
    const row = { idProduct: 1, amount: 1, condition: "constructor", language: "toString", isFoil: { toString: 1 } }
    const { job } = yield* upload(trader, "a.json", JSON.stringify([row, { ...row, amount: {} }]), {}, "/sourceEur")
    assert.deepEqual((yield* ended(trader, job.id)).counts, { total: 2, succeeded: 0, failed: 2 })
  })

  it("is done once if the same file is sent again; another file or mode is a 422", function* () {
    const trader = yield* makeTrader("repeating")
    const once = { key: trader.key, once: "k" }
    const { job } = yield* upload(once, "a.csv", `${columns}\n${line}\n`)
    assert.strictEqual((yield* upload(once, "a.csv", `${columns}\n${line}\n`)).job.id, job.id)
    const others = [
      yield* upload(once, "a.csv", `${columns}\n${line}0\n`),
      yield* upload(once, "a.csv", `${columns}\n${line}\n`, { mode: "replace" })
    ]
    for (const each of others) assert.deepInclude(each, { status: 422, code: "IDEMPOTENCY_KEY_REUSED" })
    yield* ended(trader, job.id)
    assert.deepEqual(yield* quantities(trader), [1])
  })

  it("of a preset's file has another program's finish, language and comment", function* () {
    const trader = yield* makeTrader("preset")
    const products = yield* ask("/v1/products/10007", { key: trader.key })
    const id = products.json.externalIds.sourceEur[0]?.id
    const heads = "idArticle,idProduct,amount,language,condition,isFoil,price,comments"
    const file = `${heads}\n770,${id},4,German,EX,true,2.5,nice\n`
    const { job } = yield* upload(trader, "a.csv", file, {}, "/sourceEur")
    yield* ended(trader, job.id)
    const [line] = yield* linesOf(trader)
    assert.deepInclude(line, { finish: "Foil", language: "de", quantity: 4, comment: "nice" })
  })
})
