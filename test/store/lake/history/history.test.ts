import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import type { SnapshotFolder } from "../../../../src/store/home/Manifest.ts"
import { wornCatalogues } from "../../diff/wornCatalogues.ts"
import { emptyHome, nightTime, publishNights } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { lakeRows, type Row, tableRows } from "../tableRows.ts"
import { live } from "../../../support/suite.ts"

const sorted = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

/** Tables of a snapshot, and the macro that must give the same rows for its time. */
const asOf = [
  ["source_prices", "prices_at"],
  ["marketplace_prices", "marketplace_prices_at"],
  ["products", "products_at"],
  ["expansions", "expansions_at"]
] as const

const isThatNight = Effect.fnUntraced(function* (
  { folder, manifest }: SnapshotFolder,
  ...times: ReadonlyArray<string>
) {
  for (const [table, question] of asOf) {
    const rows = yield* tableRows(folder, table)
    // `price_extra` makes no version.
    const names = Object.keys(rows[0] ?? { game_id: "" }).filter((name) => name !== "price_extra")
    const wanted = sorted(rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]]))))
    for (const time of times) {
      const then = yield* lakeRows(`select ${names.join(", ")} from ${question}('${time}')`)
      assert.deepStrictEqual(sorted(then), wanted, `${table} of ${manifest.snapshot} at ${time}`)
    }
  }
})

describe("the history", () => {
  live(
    "says for every night, and for every time until the next, exactly what that night read",
    () =>
      holds(wornCatalogues(4, 12), 1, (catalogues) =>
        Effect.gen(function* () {
          const nights = yield* publishNights(
            catalogues.map(({ expansions, products }) => ({
              products: [...products.values()],
              expansions: [...expansions.values()]
            }))
          )
          for (const [night, snapshot] of nights.entries()) {
            const last = new Date(Date.parse(nightTime(night + 1)) - 1).toISOString()
            yield* isThatNight(snapshot, nightTime(night), last)
          }
          for (const [, question] of asOf) {
            assert.deepStrictEqual(yield* lakeRows(`from ${question}('2026-05-01T02:59:59Z')`), [])
          }
        }).pipe(Effect.scoped, Effect.provide(emptyHome))
      ),
    60_000
  )
})
