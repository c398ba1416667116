import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { once } from "node:events"
import { createWriteStream, mkdtempSync, openAsBlob, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { gunzipSync } from "node:zlib"
import { Served, makeTrader } from "../Served.ts"
import { ended, fetched, type Trader, upload } from "./upload.ts"
import { syntheticCatalogue } from "../../support/syntheticCatalogue.ts"

/** `IMPORT_ROWS` sets another number; an import takes at most 5,000,000. */
const rows = Number(process.env["IMPORT_ROWS"] ?? 1_000_000)
const products = 20_000
/** With more rows, the unpacked export is larger than an import may be. */
const maxRowsBack = 1_000_000

const folder = mkdtempSync(join(tmpdir(), "cardlake-import-"))
const path = join(folder, "stock.csv")

const writeFile = async (ids: ReadonlyArray<number>) => {
  const file = createWriteStream(path)
  file.write("productId,finish,condition,language,quantity,customId,comment\n")
  for (let row = 0; row < rows; row += 1000) {
    const lines = Array.from({ length: 1000 }, (_, at) => {
      const number = row + at
      return `${ids[number % ids.length]},Standard,NM,en,${(number % 9) + 1},id-${number},no ${number}\n`
    })
    if (!file.write(lines.join(""))) await once(file, "drain")
  }
  file.end()
  await once(file, "finish")
}

const exportedBy = Effect.fnUntraced(function* (trader: Trader) {
  const { job } = yield* trader.api.jobs.export({ payload: { format: "csv" } })
  return (yield* fetched((yield* ended(trader, job.id)).downloadUrl)).bytes
})

/** The 15 columns that an import reads: no ids and instants of the account. No cell has a comma. */
const linesOf = (file: Buffer) =>
  gunzipSync(file)
    .toString()
    .split("\n")
    .map((line) => line.split(",").slice(0, 15).join())

layer(Served.layer({ catalogue: { games: syntheticCatalogue(products) }, state: join(folder, "state") }))(
  "a large import",
  (it) => {
    it.effect(
      `of ${rows} rows runs in flat memory while others are served, and its export makes equal lines`,
      () =>
        Effect.gen(function* () {
          const { url } = yield* Served
          const trader = yield* makeTrader("wholesaler")
          const page = yield* trader.api.catalogue.products({ query: { limit: 200 } })
          const finishes = page.data.flatMap((product) =>
            product.productType === "card" && product.finishes.includes("Standard") ? [product.id] : []
          )
          yield* Effect.promise(() => writeFile(finishes))
          const body = new FormData()
          body.append("file", yield* Effect.promise(() => openAsBlob(path)), "stock.csv")
          const headers = { authorization: `Bearer ${trader.key}` }
          const started = performance.now()
          const answer = yield* Effect.promise(() =>
            fetch(`${url}/v1/inventory/bulk/import`, { method: "POST", headers, body })
          )
          const { job } = (yield* Effect.promise(() => answer.json())) as { job: { id: string } }
          const used: Array<number> = []
          const waits: Array<number> = []
          for (;;) {
            const sentAt = performance.now()
            const now = (yield* trader.api.jobs.job({ params: { jobId: job.id } })).job
            waits.push(performance.now() - sentAt)
            used.push(process.memoryUsage().rss)
            if (now.status === "completed" || now.status === "failed") break
            yield* Effect.promise(() => setTimeout(200))
          }
          const done = yield* ended(trader, job.id)
          const seconds = (performance.now() - started) / 1000
          assert.deepEqual(done.counts, { total: rows, succeeded: rows, failed: 0 })
          const [early, late] = [used.slice(0, used.length / 2), used.slice(used.length / 2)]
          const grown = (Math.max(...late) - Math.max(...early)) / 1e6
          waits.sort((a, b) => a - b)
          const median = waits[Math.floor(waits.length / 2)]
          console.log({ seconds, megabytes: Math.max(...used) / 1e6, grown, answers: waits.length, median })
          assert.isBelow(grown, 150)
          // Each of these answers came between two batches.
          assert.isAbove(waits.length, 20)
          if (rows > maxRowsBack) return
          const exported = yield* exportedBy(trader)
          const lines = linesOf(exported)
          assert.strictEqual(lines.length, rows + 2)
          const other = yield* makeTrader("successor")
          const copy = yield* upload(other, "stock.csv.gz", exported, { format: "csv" })
          assert.deepEqual((yield* ended(other, copy.job.id)).counts, { total: rows, succeeded: rows, failed: 0 })
          assert.isTrue(linesOf(yield* exportedBy(other)).every((line, at) => line === lines[at]))
        }).pipe(Effect.ensuring(Effect.sync(() => rmSync(folder, { recursive: true })))),
      3_600_000
    )
  }
)
