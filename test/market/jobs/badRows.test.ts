import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { ask, Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"
import { ended, imported, reported, upload } from "./upload.ts"

const good = { productId: 10007, finish: "Standard", condition: "NM", language: "en", quantity: 1 }
const head = "productId,finish,condition,language,quantity"
const line = "10007,Standard,NM,en,1"
const more = 1024 * 1024 + 1

const quantities = (trader: Parameters<typeof ended>[0]) =>
  Effect.map(trader.api.inventory.lines({ query: {} }), ({ data }) => data.map(({ quantity }) => quantity))

/** Files with one row that is longer than 1 MB, and where it is. */
const endless = {
  "objects.json": [`[${JSON.stringify(good)},{"tags":[{}${",{}".repeat(more / 2)}]}]`, "row 2"],
  "text.json": [`[{"comment":"${"x".repeat(more)}"}]`, "row 1"],
  "key.json": [`[{"${"x".repeat(more)}":1}]`, "row 1"],
  "bare.json": [`[1,"${"x".repeat(more)}"]`, "row 2"],
  "separators.csv": [`${head}\n${line}\n${",".repeat(more)}\n`, "the row in line 3"],
  "returns.csv": [`${head}\n${line},"\n${",".repeat(more)}"\n`, "the row in line 2"],
  "header.csv": [`${",".repeat(more)}\n${line}\n`, "the row in line 1"],
  "quote.csv": [`${head}\n10007,"Standard,NM,en,1\n${`${line}\n`.repeat(more / 20)}`, "the row in line 2"]
} as const

layer(Served.layer())("a row of an import", (it) => {
  it.effect("that is longer than 1 MB fails the job, which says where, and nothing is imported", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("endless")
      for (const [name, [text, where]] of Object.entries(endless)) {
        const format = name.endsWith("csv") ? "csv" : "json"
        const { job } = yield* upload(trader, name, new Uint8Array(gzipSync(text, { level: 1 })), { format })
        assert.deepInclude(yield* ended(trader, job.id), {
          status: "failed",
          errorMessage: `The file cannot be read: ${where} is longer than 1 MB. Correct the file and import it again`
        })
      }
      assert.deepStrictEqual(yield* quantities(trader), [])
    })
  )

  it.effect("that is just as long as it may be is one row", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("longest")
      const text = "x".repeat(1024 * 1024 - 1000)
      const json = yield* imported(trader, "a.json", JSON.stringify([{ ...good, unknown: text }, good]))
      assert.deepStrictEqual(json.counts, { total: 2, succeeded: 2, failed: 0 })
      const csv = yield* imported(trader, "a.csv", `${head},unknown\n${line},${text}\n${line},\n`)
      assert.deepStrictEqual(csv.counts, { total: 2, succeeded: 2, failed: 0 })
      assert.deepStrictEqual(yield* quantities(trader), [4])
    })
  )

  it.effect("that has a list or an object where a text belongs is refused alone", () =>
    Effect.gen(function* () {
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
      assert.deepStrictEqual(job.counts, { total: 14, succeeded: 1, failed: 13 })
      const report = yield* reported(job)
      assert.deepStrictEqual(
        report.map(({ code, row }) => [row, code]),
        rows.map((_, at) => [at + 1, "INVALID_ROW"])
      )
      assert.strictEqual(report[0]?.message, "productId: expected text or a number")
      assert.strictEqual(report[10]?.message, "the row is not an object")
      assert.isTrue(report.every(({ message }) => message.length <= 300))
      assert.deepStrictEqual(yield* quantities(trader), [1])
    })
  )

  it.effect("of a preset's file with such a field is refused alone, too", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("strange preset")
      const row = { idProduct: 1, amount: 1, condition: "constructor", language: "toString", isFoil: { toString: 1 } }
      const { job } = yield* upload(trader, "a.json", JSON.stringify([row, { ...row, amount: {} }]), {}, "/sourceEur")
      assert.deepStrictEqual((yield* ended(trader, job.id)).counts, { total: 2, succeeded: 0, failed: 2 })
    })
  )
})

layer(Served.layer())("an import with an Idempotency-Key", (it) => {
  it.effect("is done once if the same file is sent again; another file or mode is a 422", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("repeating")
      const once = { key: trader.key, once: "k" }
      const { job } = yield* upload(once, "a.csv", `${head}\n${line}\n`)
      assert.strictEqual((yield* upload(once, "a.csv", `${head}\n${line}\n`)).job.id, job.id)
      const others = [
        yield* upload(once, "a.csv", `${head}\n${line}0\n`),
        yield* upload(once, "a.csv", `${head}\n${line}\n`, { mode: "replace" })
      ]
      assert.deepStrictEqual(
        others.map(({ code, status }) => [status, code]),
        others.map(() => [422, "IDEMPOTENCY_KEY_REUSED"])
      )
      yield* ended(trader, job.id)
      assert.deepStrictEqual(yield* quantities(trader), [1])
    })
  )

  it.effect("of a preset's file has another program's columns and words", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("preset")
      const products = yield* ask("/v1/products/10007", { key: trader.key })
      const id = products.json.externalIds.sourceEur[0]?.id
      const heads = "idArticle,idProduct,amount,language,condition,isFoil,price,comments"
      const grades = ["EX", "MT", "NM", "LP", "GD", "PL", "PO"]
      const rows = grades.map((grade, at) => `77${at},${id},4,German,${grade},true,2.5,nice`)
      const { job } = yield* upload(trader, "a.csv", `${heads}\n${rows.join("\n")}\n`, {}, "/sourceEur")
      assert.deepStrictEqual((yield* ended(trader, job.id)).counts, { total: 7, succeeded: 7, failed: 0 })
      const { data } = yield* trader.api.inventory.lines({ query: {} })
      assert.deepStrictEqual(
        data.map(({ condition }) => condition),
        ["LP", "NM", "NM", "LP", "MP", "HP", "DMG"]
      )
      assert.deepInclude(data[0], {
        productId: 10007,
        finish: "Foil",
        condition: "LP",
        language: "de",
        quantity: 4,
        customId: "770",
        comment: "nice"
      })
    })
  )

  it.effect("of the USD source's file names products by line, set and number; its id becomes the customId", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("sku")
      const heads = "SKU Id,Product Line,Set Name,Number,Quantity,Condition,Language,Price,Foil"
      const rows = [
        "5001,Clockwork Orchard,Orchard,43,2,Near Mint,English,1.5,",
        "5002,clockwork-orchard,ORCHARD,057/200,3,Damaged,German,,",
        // Three products have the number 0, none has 9999, and there is no such set.
        "5003,Clockwork Orchard,Orchard,0,1,Near Mint,English,,",
        "5004,Clockwork Orchard,Orchard,9999,1,Near Mint,English,,",
        "5005,Clockwork Orchard,Vineyard,43,1,Near Mint,English,,",
        "5006,Ash & Oak,Orchard,43,1,Near Mint,English,,"
      ]
      const seller = yield* makeTrader("sku seller", { type: "pro", currency: "USD" })
      const file = `${heads}\n${rows.join("\n")}\n`
      const { job } = yield* upload(seller, "a.csv", file, {}, "/sourceUsd")
      const done = yield* ended(seller, job.id)
      assert.deepStrictEqual(done.counts, { total: 6, succeeded: 2, failed: 4 })
      assert.deepStrictEqual(
        (yield* reported(done)).map(({ code, message, row }) => [row, code, message]),
        [
          [3, "PRODUCT_NOT_FOUND", "3 products are number 0 of Orchard in Clockwork Orchard"],
          [4, "PRODUCT_NOT_FOUND", "no product is number 9999 of Orchard in Clockwork Orchard"],
          [5, "PRODUCT_NOT_FOUND", "no product is number 43 of Vineyard in Clockwork Orchard"],
          [6, "PRODUCT_NOT_FOUND", "no product is number 43 of Orchard in Ash & Oak"]
        ]
      )
      const { data } = yield* seller.api.inventory.lines({ query: {} })
      assert.deepStrictEqual(
        data.map(({ condition, customId, language, productId, quantity }) => [
          customId,
          productId,
          condition,
          language,
          quantity
        ]),
        [
          ["5001", 3_000_000_474, "NM", "en", 2],
          ["5002", 3_000_000_628, "DMG", "de", 3]
        ]
      )
      const foreign = yield* upload(trader, "a.csv", "Product Id,Quantity\n1,1\n", {}, "/sourceUsd")
      assert.deepStrictEqual([foreign.status, foreign.code], [422, "UNPROCESSABLE_FILE"])
    })
  )
})
