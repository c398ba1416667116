import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { diffSnapshots } from "../../src/diff/diffSnapshots.ts"
import type { Current } from "../../src/lake/Current.ts"
import { Home } from "../../src/lake/Home.ts"
import type { SnapshotFolder } from "../../src/lake/loadSnapshot.ts"
import { lockHome } from "../../src/lake/lockHome.ts"
import { publish } from "../../src/lake/publish.ts"
import { type Catalogue, wornCatalogues } from "../diff/wornCatalogues.ts"
import { emptyHome, snapshotOf } from "./handMadeReading.ts"
import { holds } from "./heldByFastCheck.ts"
import { gameId } from "./invented.ts"
import { lakeRows, type Row, tableRows } from "./tableRows.ts"

const instant = (night: number) => `2026-05-${String(night + 1).padStart(2, "0")}T03:00:00.000Z`

/** One night after the other into an empty home, each compared with the one before; then the lake over all of them. */
const publishNights = Effect.fnUntraced(function* (catalogues: ReadonlyArray<Catalogue>) {
  const home = yield* Home
  const nights: Array<SnapshotFolder> = []
  for (const [night, { expansions, products }] of catalogues.entries()) {
    const said = { products: [...products.values()], expansions: [...expansions.values()], completedAt: instant(night) }
    const snapshot = yield* snapshotOf(`night${night}`, said, nights.at(-1) ?? null)
    const before = nights.at(-1)
    if (before !== undefined) yield* diffSnapshots(before, snapshot, home.changes(gameId, `night${night}`))
    nights.push(snapshot)
  }
  const published = nights.map(({ manifest }) => manifest.snapshot)
  const current: Current = { games: { [gameId]: { snapshot: published.at(-1) ?? "", published } }, history: [] }
  yield* publish("history", current, yield* lockHome("nightly", "history"))
  return nights
})

const sorted = (rows: ReadonlyArray<Row>) => rows.map((row) => JSON.stringify(row)).sort()

/** Tables of a snapshot, and the question about a time that must answer the same. */
const asOf = [
  ["source_prices", "prices_at"],
  ["marketplace_prices", "marketplace_prices_at"],
  ["products", "products_at"],
  ["expansions", "expansions_at"]
] as const

const isThatNight = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder, time: string) {
  for (const [table, question] of asOf) {
    const rows = yield* tableRows(folder, table)
    // What the hash is made of has columns of its own.
    const names = Object.keys(rows[0] ?? { game_id: "" }).filter((name) => name !== "row_hash")
    const then = yield* lakeRows(`select ${names.join(", ")} from ${question}('${time}')`)
    const wanted = rows.map((row) => Object.fromEntries(names.map((name) => [name, row[name]])))
    assert.deepStrictEqual(sorted(then), sorted(wanted), `${table} of ${manifest.snapshot}`)
  }
})

describe("the history", () => {
  it.live(
    "says for every night, and for every time until the next, exactly what that night read",
    () =>
      holds(wornCatalogues(4, 12), 4, (catalogues) =>
        Effect.gen(function* () {
          const nights = yield* publishNights(catalogues)
          for (const [night, snapshot] of nights.entries()) {
            yield* isThatNight(snapshot, instant(night))
            yield* isThatNight(snapshot, new Date(Date.parse(instant(night + 1)) - 1).toISOString())
          }
          for (const [, question] of asOf) {
            assert.deepStrictEqual(yield* lakeRows(`from ${question}('2026-05-01T02:59:59Z')`), [])
          }
        }).pipe(Effect.scoped, Effect.provide(emptyHome))
      ),
    60_000
  )
})
