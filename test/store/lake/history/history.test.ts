import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { rmSync } from "node:fs"
import { runCompact } from "../../../../src/night/run/runCompact.ts"
import { runRollback } from "../../../../src/night/run/runRollback.ts"
import { showing } from "../../../../src/night/run/showing.ts"
import { Home, readCurrent } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import type { SnapshotFolder } from "../../../../src/store/home/Manifest.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome, nightTime, publishNights } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { gameId, idOf } from "../invented.ts"
import { lakeRows, type Row, tableRows } from "../tableRows.ts"
import { live } from "../../../support/suite.ts"
import { isFull } from "../../../tried.ts"

/** An id that a product has in two places of its record is one id. */
const sorted = (rows: ReadonlyArray<Row>) => [...new Set(rows.map((row) => JSON.stringify(row)))].sort()

/** Tables of a snapshot, and the macro that must give the same rows for its time. */
const asOf = [
  ["source_prices", "prices_at"],
  ["marketplace_prices", "marketplace_prices_at"],
  ["products", "products_at"],
  ["expansions", "expansions_at"],
  ["external_ids", "external_ids_at"]
] as const

/** The rows of a night in its own files, which each macro must return. */
const keptAside = ({ folder }: SnapshotFolder) =>
  Effect.forEach(asOf, ([table, question]) =>
    Effect.map(tableRows(folder, table), (rows) => {
      // These make no version.
      const names = Object.keys(rows[0] ?? { game_id: "" }).filter((name) => !/^(price_extra|position)$/.test(name))
      const wanted = sorted(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))))
      return { question, columns: names.join(", "), wanted }
    })
  )
type Kept = Effect.Success<ReturnType<typeof keptAside>>

const assertNights = Effect.fnUntraced(function* (nights: ReadonlyArray<Kept>, when: string) {
  for (const [night, answers] of nights.entries()) {
    const last = new Date(Date.parse(nightTime(night + 1)) - 1).toISOString()
    for (const { columns, question, wanted } of answers) {
      for (const time of [nightTime(night), last]) {
        const then = yield* lakeRows(`select ${columns} from ${question}('${time}')`)
        assert.deepStrictEqual(sorted(then), wanted, `${when}: ${question}('${time}')`)
      }
    }
  }
})

/** Every table and view of the lake: how many rows, and their content whatever their order. */
const lakeContent = Effect.gen(function* () {
  const names = yield* lakeRows(
    "select table_name as name from information_schema.tables where table_catalog = 'lake' and table_schema = 'main' order by all"
  )
  return yield* Effect.forEach(names, ({ name }) =>
    lakeRows(`select '${name}' as name, count(*)::int as n, bit_xor(hash(t))::varchar as content from "${name}" t`)
  )
})

const publishAgain = Effect.gen(function* () {
  const run = idOf("20991231T000000000Z-0000")
  yield* publish(run, yield* readCurrent, yield* lockHome("nightly", run))
}).pipe(Effect.scoped)

describe("the history", () => {
  live(
    "says for every night, and for every time until the next, exactly what that night read; in `npm run test:full` also without its files",
    () =>
      holds(wornCatalogues(4, 12), 1, (catalogues) =>
        Effect.gen(function* () {
          const published = yield* Effect.scoped(
            publishNights(
              catalogues.map(({ expansions, products }) => ({
                products: [...products.values()],
                expansions: [...expansions.values()]
              }))
            )
          )
          const nights = yield* Effect.forEach(published, keptAside)
          yield* assertNights(nights, "in own files")
          for (const [, question] of asOf) {
            assert.deepStrictEqual(yield* lakeRows(`from ${question}('2026-05-01T02:59:59Z')`), [])
          }
          if (!isFull) return
          const later = showing(Date.parse("2026-06-02T05:30:00Z"))
          yield* later(runCompact([]))
          yield* assertNights(nights, "compacted")
          yield* later(runRollback({ gameId, wanted: null, why: null }))
          yield* assertNights(nights.slice(0, -1), "without the last night")
          // The lake, which was continued at each step, is the one that is built from the files.
          yield* publishAgain
          const continued = yield* lakeContent
          rmSync((yield* Home).lake)
          yield* publishAgain
          assert.deepStrictEqual(yield* lakeContent, continued)
        }).pipe(Effect.scoped, Effect.provide(emptyHome))
      ),
    120_000
  )
})
