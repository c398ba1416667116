import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { Served } from "../Served.ts"
import { makeTrader } from "../Trader.ts"
import { ended, fetched, imported, reported, type Trader, upload } from "./upload.ts"

const head = "productId,finish,condition,language,quantity,customId,comment,listingPrice,listingCurrency"
const csv = (...rows: ReadonlyArray<string>) => `${[head, ...rows].join("\n")}\n`

/** CustomId, quantity and price of each line. */
const stock = (trader: Trader) =>
  Effect.map(trader.api.inventory.lines({ query: { limit: 100 } }), ({ data }) =>
    data.map(({ customId, listing, quantity }) => [customId, quantity, listing?.price.amount ?? null])
  )

layer(Served.layer())("imports", (it) => {
  it.effect("a known customId sets the line, an unknown one creates it, and rows without one add their units", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("importer")
      yield* imported(trader, "a.csv", csv("10007,Standard,NM,en,2,known,old,,", "10007,Standard,NM,en,3,,,,"))
      const job = yield* imported(
        trader,
        "b.csv",
        csv("10007,,,,9,known,,1.50,EUR", "10010,Foil,LP,en,1,new,,,", "10007,Standard,NM,en,4,,,,")
      )
      assert.deepStrictEqual(job.counts, { total: 3, succeeded: 3, failed: 0 })
      assert.deepStrictEqual(yield* stock(trader), [
        ["known", 9, 1.5],
        [null, 7, null],
        ["new", 1, null]
      ])
      const { data } = yield* trader.api.inventory.lines({ query: { customId: "known" } })
      assert.deepInclude(data[0], { comment: "old", finish: "Standard", condition: "NM", language: "en" })
    })
  )

  it.effect("an account that does not sell imports its stock; only a row with a price is refused", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("collector", null)
      const rows = csv("10007,Standard,NM,en,2,,,,", "10010,Foil,LP,en,1,,,1.50,EUR", "10010,Foil,LP,,1,,,,")
      const job = yield* imported(trader, "a.csv", rows)
      assert.deepStrictEqual(
        (yield* reported(job)).map(({ row, code }) => [row, code]),
        [
          [2, "SELLER_ACCOUNT_NOT_ACTIVE"],
          [3, "INVALID_LANGUAGE"]
        ]
      )
      assert.deepStrictEqual(yield* stock(trader), [[null, 2, null]])
    })
  )

  it.effect("replace sets what the file says, and every other line to zero", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("replacer")
      yield* imported(trader, "a.csv", csv("10007,Standard,NM,en,2,gone,,,", "10007,Standard,NM,en,3,,,,"))
      const rows = csv("10007,Standard,NM,en,5,,,,", "10010,Standard,NM,en,1,kept,,,")
      for (const _ of ["once", "again"]) {
        yield* imported(trader, "b.csv", rows, { mode: "replace" })
        assert.deepStrictEqual(yield* stock(trader), [
          ["gone", 0, null],
          [null, 5, null],
          ["kept", 1, null]
        ])
      }
    })
  )

  it.effect("replace leaves alone a line whose row is refused", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("careful")
      yield* imported(trader, "a.csv", csv("10007,Standard,NM,en,2,a,,,", "10007,Standard,NM,en,3,b,,,"))
      const job = yield* imported(
        trader,
        "b.csv",
        csv("10007,Etched,NM,en,9,a,,,", "10007,Standard,NM,en,many,b,,,", "10010,Standard,NM,en,1,,,,"),
        { mode: "replace" }
      )
      assert.strictEqual(job.counts?.failed, 2)
      assert.deepStrictEqual(yield* stock(trader), [
        ["a", 2, null],
        ["b", 3, null],
        [null, 1, null]
      ])
    })
  )

  it.effect("rows that fail are in a report and fail no job; the events tell the rest", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("reporter")
      const job = yield* imported(
        trader,
        "a.csv",
        csv(
          "10007,Standard,NM,en,1,,,,",
          "1,Standard,NM,en,1,,,,",
          "10007,Etched,NM,en,1,,,,",
          "10007,Standard,NM,en,-1,,,,",
          "10007,Standard,,en,1,,,,",
          "10007,Standard,NM,en,1,,,2.999,EUR",
          "10007,Standard,NM,en,1,,,2.99,",
          "10007,Standard,NM,en,1,,,2.99,USD",
          "abc,Standard,NM,en,1,,,,",
          "10007,Standard,MINT,en,1,,,,"
        )
      )
      assert.deepInclude(job, { status: "completed", progress: 100, errorMessage: null, downloadUrl: null })
      assert.deepStrictEqual(job.counts, { total: 10, succeeded: 1, failed: 9 })
      const report: ReadonlyArray<{ row: number; code: string }> = JSON.parse(
        (yield* fetched(job.errorReportUrl)).bytes.toString()
      )
      assert.deepStrictEqual(
        report.map(({ code, row }) => [row, code]),
        [
          [2, "PRODUCT_NOT_FOUND"],
          [3, "INVALID_FINISH"],
          [4, "INVALID_QUANTITY"],
          [5, "CONDITION_REQUIRED"],
          [6, "INVALID_ROW"],
          [7, "INVALID_ROW"],
          [8, "CURRENCY_MISMATCH"],
          [9, "INVALID_ROW"],
          [10, "INVALID_ROW"]
        ]
      )
      const [changed, completed] = yield* trader.events
      assert.deepInclude(changed?.data, { reason: "import" } as never)
      assert.deepInclude(completed, { type: "inventory.import.completed", eventId: `${job.id}.completed` })
      assert.deepInclude(completed?.data, { jobId: job.id, status: "completed", counts: job.counts } as never)
    })
  )

  it.effect("the same rows as csv, as json and compressed give the same lines", () =>
    Effect.gen(function* () {
      const rows = csv("10007,Standard,NM,en,2,x,fine,3,EUR", "10013,,LP,ja,1,,,,")
      const json = JSON.stringify([
        {
          productId: 10007,
          finish: "Standard",
          condition: "NM",
          language: "en",
          quantity: 2,
          customId: "x",
          comment: "fine",
          listingPrice: 3,
          listingCurrency: "EUR"
        },
        { productId: "10013", finish: null, condition: "LP", language: "ja", quantity: 1, unknown: true }
      ])
      const files = [
        ["a.csv", rows, {}],
        ["a.json", json, {}],
        ["a.gz", new Uint8Array(gzipSync(json)), { format: "json" }],
        ["a", new Uint8Array(gzipSync(`\uFEFF${rows}`)), { format: "csv" }]
      ] as const
      for (const [at, [name, content, fields]] of files.entries()) {
        const trader = yield* makeTrader(`format ${at}`)
        const { job } = yield* upload(trader, name, content, fields)
        yield* ended(trader, job.id)
        assert.deepStrictEqual(
          yield* stock(trader),
          [
            ["x", 2, 3],
            [null, 1, null]
          ],
          name
        )
      }
    })
  )

  it.effect("a source's id stands for a product and finish", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("by-source")
      // As the sample has them: 3000000419 is 600152 in Standard and 600153 in Holographic.
      const rows = "600152,NM,en,1\n600153,NM,en,1\n"
      yield* imported(trader, "a.csv", `sourceUsd,condition,language,quantity\n${rows}`)
      const { data } = yield* trader.api.inventory.lines({ query: {} })
      assert.deepStrictEqual(
        data.map(({ finish, productId }) => [productId, finish]),
        [
          [3000000419, "Standard"],
          [3000000419, "Holographic"]
        ]
      )
    })
  )

  it.effect("a broken file changes nothing, fails its job and says why", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("breaker")
      const files = [
        ["a.csv", `${csv("10007,Standard,NM,en,1,,,,")}10007,"Standard,NM`],
        ["a.json", '[{"productId":10007,"finish":"Standard","condition":"NM","language":"en","quantity":1},{"prod'],
        ["b.json", '{"productId":10007}'],
        ["a.gz", "\u001f\u008b"]
      ] as const
      for (const [name, content] of files) {
        const bytes = name === "a.gz" ? new Uint8Array([0x1f, 0x8b, 1, 2, 3]) : content
        const { job } = yield* upload(trader, name, bytes, name === "a.gz" ? { format: "json" } : {})
        const failed = yield* ended(trader, job.id)
        assert.deepInclude(failed, { status: "failed", counts: null, errorReportUrl: null }, name)
        assert.match(
          failed.errorMessage ?? "",
          /^The file cannot be read: .+[^.]\. Correct the file and import it again$/,
          name
        )
      }
      assert.deepStrictEqual(yield* stock(trader), [])
      for (const { data } of yield* trader.events) {
        assert.deepInclude(data, { status: "failed", counts: { total: 0, succeeded: 0, failed: 0 } } as never)
      }
    })
  )

  it.effect("an upload of another format or mode is refused at once", () =>
    Effect.gen(function* () {
      const trader = yield* makeTrader("careless")
      const packed = new Uint8Array(gzipSync("x"))
      const answers = [
        yield* upload(trader, "a.txt", "x"),
        yield* upload(trader, "a.csv", packed),
        yield* upload(trader, "a.csv", "x", { mode: "merge" }),
        yield* upload(trader, "a.csv", "a,b\n1,2\n", {}, "/sourceEur")
      ]
      assert.deepStrictEqual(
        answers.map(({ code, status }) => [status, code]),
        [
          [400, "UNSUPPORTED_CONTENT_TYPE"],
          [400, "UNSUPPORTED_CONTENT_TYPE"],
          [400, "BAD_REQUEST"],
          [422, "UNPROCESSABLE_FILE"]
        ]
      )
      assert.deepStrictEqual(answers[3]?.data, { source: "sourceEur" })
    })
  )
})
