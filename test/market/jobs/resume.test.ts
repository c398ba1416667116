import { assert } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { cpSync } from "node:fs"
import { join } from "node:path"
import { setTimeout } from "node:timers/promises"
import { Served, clientOf, control, makeTrader } from "../Served.ts"
import { ended, fetched, type Trader, upload } from "./upload.ts"
import { values } from "../../support/sandbox.ts"
import { newFolder, live } from "../../support/suite.ts"

const fileOf = (rows: number) =>
  `productId,finish,condition,language,quantity,customId\n${Array.from(
    { length: rows },
    (_, row) => `10007,Standard,NM,en,1,${row % 2 === 0 ? `id-${row}` : ""}`
  ).join("\n")}\n`

const sandbox = (state: string) => Layer.build(Served.layer({ state }))

/** Waits until the job has imported some of its rows, more than these percent of them. Returns how many percent. */
const begun = Effect.fnUntraced(function* (api: Trader["api"], jobId: string, percent = 0) {
  for (;;) {
    const { progress } = (yield* api.jobs.job({ params: { jobId } })).job
    if ((progress ?? 0) > percent) return progress ?? 0
    yield* Effect.promise(() => setTimeout(1))
  }
})

live("an import goes on where a killed sandbox left it, and applies no row twice", function* () {
  const rows = 4000
  const folder = yield* newFolder
  const [first, second] = [join(folder, "first"), join(folder, "second")]
  const { jobId, key } = yield* Effect.gen(function* () {
    const trader = yield* makeTrader("interrupted")
    const { job } = yield* upload(trader, "a.csv", fileOf(rows))
    yield* begun(trader.api, job.id)
    // A copy of the disk in the middle of the import is what a killed sandbox leaves.
    cpSync(first, second, { recursive: true })
    return { jobId: job.id, key: trader.key }
  }).pipe(Effect.provide(yield* sandbox(first)))

  yield* Effect.gen(function* () {
    const api = yield* clientOf(key)
    const job = yield* ended({ api }, jobId)
    assert.deepEqual(job.counts, { total: rows, succeeded: rows, failed: 0 })
    const { data, pagination } = yield* api.inventory.searchLines({ payload: { limit: 2 } })
    assert.strictEqual(pagination.total, rows / 2 + 1)
    assert.deepEqual(values(data, "customId", "quantity"), [
      ["id-0", 1],
      [null, rows / 2]
    ])
  }).pipe(Effect.provide(yield* sandbox(second)))
})

live("an import during which the sandbox was killed twice fails, and the sandbox runs", function* () {
  const rows = 20_000
  const folder = yield* newFolder
  const [first, second, third] = ["first", "second", "third"].map((name) => join(folder, name)) as [
    string,
    string,
    string
  ]
  const { jobId, key, percent } = yield* Effect.gen(function* () {
    const trader = yield* makeTrader("unlucky")
    const { job } = yield* upload(trader, "a.csv", fileOf(rows))
    const percent = yield* begun(trader.api, job.id)
    cpSync(first, second, { recursive: true })
    return { jobId: job.id, key: trader.key, percent }
  }).pipe(Effect.provide(Served.layer({ state: first })))
  yield* Effect.gen(function* () {
    yield* begun(yield* clientOf(key), jobId, percent)
    cpSync(second, third, { recursive: true })
  }).pipe(Effect.provide(Served.layer({ state: second })))

  yield* Effect.gen(function* () {
    const api = yield* clientOf(key)
    const job = yield* ended({ api }, jobId)
    assert.strictEqual(job.status, "failed")
    const done = job.counts?.succeeded ?? 0
    assert.isTrue(done > 0 && done < rows, `${done}`)
    assert.strictEqual(
      job.errorMessage,
      "The sandbox was killed 2 times while this job ran, so it is not tried any more. " +
        `Its first ${done} rows are imported. Import the others again`
    )
    const other = yield* upload({ key }, "b.csv", fileOf(1))
    assert.strictEqual((yield* ended({ api }, other.job.id)).status, "completed")
  }).pipe(Effect.provide(yield* sandbox(third)))
})

live.full("an import goes on however often the sandbox is stopped", function* () {
  const rows = 10_000
  const folder = yield* newFolder
  const started = yield* Effect.gen(function* () {
    const trader = yield* makeTrader("patient")
    const { job } = yield* upload(trader, "a.csv", fileOf(rows))
    return { jobId: job.id, key: trader.key, percent: yield* begun(trader.api, job.id) }
  }).pipe(Effect.provide(Served.layer({ state: folder })))
  const { jobId, key } = started
  let { percent } = started
  for (const _ of ["twice", "three times"]) {
    const begunAgain = Effect.flatMap(clientOf(key), (api) => begun(api, jobId, percent))
    percent = yield* Effect.provide(begunAgain, Served.layer({ state: folder }))
    assert.isBelow(percent, 100)
  }
  const job = yield* Effect.flatMap(clientOf(key), (api) => ended({ api }, jobId)).pipe(
    Effect.provide(Served.layer({ state: folder }))
  )
  assert.deepEqual(job.counts, { total: rows, succeeded: rows, failed: 0 })
})

live(
  "a link to a job's file outlives a restart, expires when it was due to, and is renewed at the new address",
  function* () {
    const folder = yield* newFolder
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
  }
)
