import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Served } from "../Served.ts"
import { clientOf, control, makeTrader } from "../Trader.ts"
import { ended, fetched, upload } from "./upload.ts"

const rows = 4000
const csv = `productId,finish,condition,language,quantity,customId\n${Array.from(
  { length: rows },
  (_, row) => `10007,Standard,NM,en,1,${row % 2 === 0 ? `id-${row}` : ""}`
).join("\n")}\n`

const sandbox = (state: string) => Layer.build(Served.layer({ state }))
const stateFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "cardlake-resume-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

it.live("an import goes on where a killed sandbox left it, and applies no row twice", () =>
  Effect.gen(function* () {
    const folder = yield* stateFolder
    const [first, second] = [join(folder, "first"), join(folder, "second")]
    const { jobId, key } = yield* Effect.gen(function* () {
      const trader = yield* makeTrader("interrupted")
      const { job } = yield* upload(trader, "a.csv", csv)
      for (;;) {
        const now = (yield* trader.api.jobs.job({ params: { jobId: job.id } })).job
        if ((now.progress ?? 0) > 0) break
        yield* Effect.promise(() => setTimeout(1))
      }
      // A copy of the disk in the middle of the import is what a killed sandbox leaves.
      cpSync(first, second, { recursive: true })
      return { jobId: job.id, key: trader.key }
    }).pipe(Effect.provide(yield* sandbox(first)))

    yield* Effect.gen(function* () {
      const api = yield* clientOf(key)
      const job = yield* ended({ api }, jobId)
      assert.deepStrictEqual(job.counts, { total: rows, succeeded: rows, failed: 0 })
      const { data, pagination } = yield* api.inventory.searchLines({ payload: { limit: 2 } })
      assert.strictEqual(pagination.total, rows / 2 + 1)
      assert.deepStrictEqual(
        data.map(({ customId, quantity }) => [customId, quantity]),
        [
          ["id-0", 1],
          [null, rows / 2]
        ]
      )
    }).pipe(Effect.provide(yield* sandbox(second)))
  }).pipe(Effect.scoped)
)

it.live(
  "a link to a job's file outlives a restart, expires when it was due to, and is renewed at the new address",
  () =>
    Effect.gen(function* () {
      const folder = yield* stateFolder
      const before = yield* Effect.gen(function* () {
        const trader = yield* makeTrader("exporting")
        const { job } = yield* trader.api.jobs.export({ payload: { format: "csv" } })
        const { downloadUrl, id } = yield* ended(trader, job.id)
        return { id, key: trader.key, downloadUrl: downloadUrl ?? "", url: (yield* Served).url }
      }).pipe(Effect.provide(Served.layer({ state: folder })))

      yield* Effect.gen(function* () {
        const { url } = yield* Served
        assert.notStrictEqual(url, before.url)
        const api = yield* clientOf(before.key)
        const status = (link: string) => Effect.map(fetched(link.replace(before.url, url)), (answer) => answer.status)
        assert.strictEqual(yield* status(before.downloadUrl), 200)
        assert.strictEqual(yield* status(`${before.downloadUrl}0`), 403)
        yield* (yield* control).controlClock.advanceClock({ payload: { seconds: 15 * 60 } })
        assert.strictEqual(yield* status(before.downloadUrl), 403)
        const renewed = (yield* api.jobs.job({ params: { jobId: before.id } })).job.downloadUrl ?? ""
        assert.isTrue(renewed.startsWith(url), renewed)
        assert.strictEqual((yield* fetched(renewed)).status, 200)
      }).pipe(Effect.provide(yield* sandbox(folder)))
    }).pipe(Effect.scoped)
)
