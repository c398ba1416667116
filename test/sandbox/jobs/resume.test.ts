import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Served } from "../Served.ts"
import { clientOf, makeTrader } from "../Trader.ts"
import { ended, upload } from "./upload.ts"

const rows = 4000
const csv = `productId,finish,condition,language,quantity,customId\n${Array.from(
  { length: rows },
  (_, row) => `10007,Standard,NM,en,1,${row % 2 === 0 ? `id-${row}` : ""}`
).join("\n")}\n`

const sandbox = (state: string) => Layer.build(Served.layer({ state }))

it.live("an import goes on where a killed sandbox left it, and applies no row twice", () =>
  Effect.gen(function* () {
    const folder = mkdtempSync(join(tmpdir(), "cardlake-resume-"))
    yield* Effect.addFinalizer(() => Effect.sync(() => rmSync(folder, { recursive: true })))
    const [first, second] = [join(folder, "first"), join(folder, "second")]
    const { jobId, key } = yield* Effect.gen(function* () {
      const trader = yield* makeTrader("interrupted")
      const { job } = yield* upload(trader, "a.csv", csv)
      for (;;) {
        const now = (yield* trader.api.jobs.job({ params: { jobId: job.id } })).job
        if ((now.progress ?? 0) > 0) break
        yield* Effect.promise(() => setTimeout(1))
      }
      // What lies on the disk in the middle of the import is what a killed sandbox leaves.
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
