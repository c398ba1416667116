import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { gzipSync } from "node:zlib"
import { Served, makeTrader } from "../Served.ts"
import { ended, type Trader, upload } from "./upload.ts"
import { suite } from "../../support/sandbox.ts"

const maxBytes = 256 * 1024 * 1024
const maxRows = 5_000_000
const head = "productId,finish,condition,language,quantity,comment\n"
const row = "10007,Standard,NM,en,1,\n"

/** A file of exactly this many bytes: rows with long comments, the last one as long as needed. */
const fileOf = (bytes: number): Buffer<ArrayBuffer> => {
  const long = `10007,Standard,NM,en,1,${"x".repeat(1900)}\n`
  const rows = Math.floor((bytes - head.length) / long.length) - 1
  const left = bytes - head.length - rows * long.length
  const last = `${row.slice(0, -1)}${"y".repeat(left - row.length)}\n`
  return Buffer.from(head + long.repeat(rows) + last)
}
const units = (trader: Trader) =>
  Effect.map(trader.api.inventory.lines({ query: {} }), ({ data }) =>
    data.reduce((sum, { quantity }) => sum + quantity, 0)
  )

suite(Served.layer())("the limits of an import", (it) => {
  it("a file of 256 MB is imported; one byte more is a 413 that names both sizes", function* () {
    const trader = yield* makeTrader("largest")
    const file = fileOf(maxBytes)
    assert.strictEqual(file.byteLength, maxBytes)
    const { job } = yield* upload(trader, "a.csv", file)
    const done = yield* ended(trader, job.id)
    assert.strictEqual(done.status, "completed", String(done.errorMessage))
    assert.isAbove(done.counts?.total ?? 0, 100_000)
    const before = yield* units(trader)
    assert.strictEqual(before, done.counts?.succeeded)

    const { code, data, status } = yield* upload(trader, "a.csv", Buffer.concat([file, Buffer.from("\n")]))
    assert.deepEqual([status, code, data["maxBytes"]], [413, "PAYLOAD_TOO_LARGE", maxBytes])
    assert.isAbove(Number(data["receivedBytes"]), maxBytes)
    assert.strictEqual(yield* units(trader), before)
  })

  it("more than 256 MB unpacked, or more than 5,000,000 rows, fail the job before a row is imported", function* () {
    const trader = yield* makeTrader("beyond")
    for (const [file, why] of [
      [gzipSync(fileOf(maxBytes + 1), { level: 1 }), /256|268435456/],
      [gzipSync(head + row.repeat(maxRows + 1), { level: 1 }), /5000000 rows/]
    ] as const) {
      const { job } = yield* upload(trader, "a.csv.gz", file, { format: "csv" })
      const done = yield* ended(trader, job.id)
      assert.strictEqual(done.status, "failed")
      assert.match(String(done.errorMessage), why)
    }
    assert.strictEqual(yield* units(trader), 0)
  })
})
