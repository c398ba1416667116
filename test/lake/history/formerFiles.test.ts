import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { existsSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import type { SnapshotId } from "../../../src/contract/Ids.ts"
import { runCompact } from "../../../src/run/runCompact.ts"
import { Home } from "../../../src/home/Home.ts"
import { Lake } from "../../../src/lake/duckdb/Lake.ts"
import { lockHome } from "../../../src/home/lock/lockHome.ts"
import { type SnapshotFolder, Manifest } from "../../../src/home/Manifest.ts"
import { parquetFormat } from "../../../src/lake/duckdb/parquetFormat.ts"
import { publish } from "../../../src/lake/publish/publish.ts"
import { fileSha256 } from "../../../src/home/disk.ts"
import { writeJson } from "../../../src/home/jsonFile.ts"
import { differenceOf, emptyHome, snapshotOf } from "../handMadeReading.ts"
import { card, gameId, type Json } from "../invented.ts"
import { showing } from "../movedClock.ts"
import { nightTime } from "../publishedNights.ts"
import { diffSnapshots } from "../../../src/diff/diffSnapshots.ts"
import { lakeRows } from "../tableRows.ts"
import { idOf } from "../../idOf.ts"

/** Tables as contract version 1 wrote them: unknown keys of prices were in the product's `extra`. */
const former: Readonly<Record<string, string>> = {
  products: `select * exclude (price_extra) replace (case when product_id = 1 then
    '{"mood":"dim","pricesByFinish":{"Standard":{"sourceEur":{"tide":1},"harbour":{"low":9}}}}'::json else extra end as extra)`,
  source_prices: "select * exclude (extra)",
  marketplace_prices: "select * exclude (extra)"
}

/** Rewrites a snapshot's files as the former release would have written them. */
const aged = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder) {
  const session = yield* (yield* Lake).session
  const tables = { ...manifest.tables }
  for (const [table, columns] of Object.entries(former)) {
    const file = join(folder, `${table}.parquet`)
    yield* session.run(
      "Age",
      `create or replace temp table aged as ${columns} from read_parquet('${file}', hive_partitioning = false)`
    )
    yield* session.run("Age", `copy aged to '${file}' ${parquetFormat()}`)
    const rows = tables[table]?.rows ?? 0
    tables[table] = { rows, sizeBytes: statSync(file).size, sha256: yield* fileSha256(file) }
  }
  const then: Manifest = { ...manifest, contractVersion: 1, tables }
  yield* writeJson(join(folder, "manifest.json"), Manifest, then)
  return { folder, manifest: then }
}, Effect.scoped)

const priced = (low: number, more: Json = {}) => ({
  completedAt: "",
  products: [
    card(1, { mood: "dim", pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low, ...more } } } }),
    card(2, { pricesByFinish: { Standard: { sourceEur: { currency: "EUR", low } } } })
  ]
})

it.live(
  "a home of the former release is continued: its prices have no extra, and the new column is no change",
  () =>
    Effect.gen(function* () {
      const home = yield* Home
      const at = (night: number, low: number, more: Json = {}) => ({
        ...priced(low, more),
        completedAt: nightTime(night)
      })
      const nights = [yield* aged(yield* snapshotOf("night0", at(0, 1)))]
      for (const [index, said] of [at(1, 1, { tide: 1 }), at(2, 2, { tide: 2 })].entries()) {
        const before = nights.at(-1)
        assert.isDefined(before)
        const id = idOf(`night${index + 1}`)
        const snapshot = yield* snapshotOf(id, said, before)
        yield* diffSnapshots(before, snapshot, home.changes(gameId, id))
        nights.push(snapshot)
      }
      const [old, next] = nights
      assert.isDefined(old)
      assert.isDefined(next)
      const { changes } = yield* differenceOf(old, next)
      // A key that the old contract had in another column is no change.
      assert.deepStrictEqual(changes, [])

      const published = nights.map(({ manifest }) => manifest.snapshot)
      const current = (snapshots: ReadonlyArray<SnapshotId>) => ({
        games: { [gameId]: { snapshot: snapshots.at(-1) ?? idOf(""), published: snapshots } },
        history: []
      })
      const publishAll = (snapshots: ReadonlyArray<SnapshotId>) =>
        Effect.scoped(
          Effect.flatMap(lockHome("nightly", idOf("history")), (lock) =>
            publish(idOf("history"), current(snapshots), lock)
          )
        )
      yield* publishAll(published.slice(0, 1))
      assert.deepStrictEqual(yield* lakeRows("select extra, price_extra from products where product_id = 1"), [
        {
          extra: '{"mood":"dim"}',
          price_extra: '{"pricesByFinish":{"Standard":{"sourceEur":{"tide":1},"harbour":{"low":9}}}}'
        }
      ])
      assert.deepStrictEqual(yield* lakeRows("select distinct extra from source_prices"), [{ extra: null }])

      yield* publishAll(published)
      const series =
        "select day::varchar as day, low::varchar as low, extra ->> 'tide' as tide from source_price_history join nights using (game_id, snapshot) where product_id = 1 order by day"
      const answered = yield* lakeRows(series)
      assert.deepStrictEqual(
        answered.map(({ low, tide }) => [low, tide]),
        [["1.0000", null], ...[1, 2].map((night) => [`${night}.0000`, String(night)])]
      )
      yield* runCompact([]).pipe(showing(Date.parse("2026-06-08T12:00:00Z")))
      assert.isFalse(existsSync(join(old.folder, "source_prices.parquet")), "the month's part has the old night, too")
      assert.deepStrictEqual(yield* lakeRows(series), answered)
      assert.include(readFileSync(home.current, "utf8"), "night0")
      const again = yield* differenceOf(old, next)
      assert.deepStrictEqual(again.changes, changes)
    }).pipe(Effect.scoped, Effect.provide(emptyHome)),
  60_000
)
