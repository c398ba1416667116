import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { readFileSync, rmSync, writeFileSync } from "node:fs"
import type { SnapshotId } from "../../../../src/feed/contract/Ids.ts"
import { auditIds } from "../../../../src/store/diff/auditIds.ts"
import type { IdAudit } from "../../../../src/store/home/Diff.ts"
import { diffSnapshots } from "../../../../src/store/diff/diffSnapshots.ts"
import { Home } from "../../../../src/store/home/Home.ts"
import { lockHome } from "../../../../src/store/home/lock/lockHome.ts"
import type { SnapshotFolder } from "../../../../src/store/home/Manifest.ts"
import { publish } from "../../../../src/store/lake/publish/publish.ts"
import { idOf, card, expansion, gameId } from "../invented.ts"
import { emptyHome, type Said, snapshotOf, nightTime } from "../handMadeNights.ts"
import { holds } from "../heldByFastCheck.ts"
import { currentOf } from "../currentOf.ts"
import { lakeRows } from "../tableRows.ts"
import { live, testIn } from "../../../support/suite.ts"
import { rounds } from "../../../tried.ts"

const products = 60

/** What a night says of a product that it did not say of it the night before. */
const change = fc.record({
  place: fc.nat(products + 5),
  isMissing: fc.boolean(),
  more: fc.oneof(
    fc.constantFrom("Æther Lantern", "Lantern, Aether", "L'Épée", "______", "Elf Token").map((name) => ({ name })),
    fc.constantFrom("Mythic", "Common", null).map((rarity) => ({ rarity })),
    fc.constantFrom(["Standard"], ["Standard", "Cold Foil"], []).map((finishes) => ({ finishes })),
    fc.constantFrom("007", "M7-12", "12a").map((printNumber) => ({ printNumber })),
    fc.constantFrom("Token", "Spell").map((cardType) => ({ attributes: { cardType } })),
    fc.constantFrom("0400123400005", "99").map((ean) => ({ ean })),
    fc.constantFrom([], ["fr", "de"]).map((languages) => ({ languages })),
    fc
      .constantFrom([7], [7, 8])
      .map((ids) => ({ externalIds: { sourceEur: ids.map((id) => ({ finish: "Standard", id })) } })),
    fc.constantFrom(1, 2).map((low) => ({ prices: { harbour: { low } } })),
    // Another product under the id, which the night after may be the former one again.
    fc
      .constantFrom("Heron", "Otter")
      .map((name) => ({ name, nameSlug: name, printNumber: name, expansionId: name.length })),
    fc.constantFrom(7, 8).map((id) => ({ expansionId: id, expansion: { id, code: `M${id}`, name: `Marsh ${id}` } }))
  )
})
const night = fc.record({
  changes: fc.array(change, { maxLength: 8 }),
  released: fc.constantFrom("2026-01-01", "2026-02-01"),
  low: fc.nat(1000)
})
interface Night {
  readonly changes: ReadonlyArray<{ readonly place: number; readonly isMissing: boolean; readonly more: object }>
  readonly released: string
  readonly low: number
}

/** What each night says. Prices move every night. */
const said = (nights: ReadonlyArray<Night>) => {
  const cards = new Map(Array.from({ length: products }, (_, id) => [id, card(id)]))
  return nights.map(({ changes, low, released }) => {
    for (const { isMissing, more, place } of changes) {
      if (isMissing) cards.delete(place)
      else cards.set(place, { ...card(place), ...cards.get(place), ...more })
    }
    const pricesByFinish = { Standard: { sourceEur: { currency: "EUR", low, marketValue: low } } }
    return {
      products: [...cards.values()].map((one) => Object.assign({}, one, { pricesByFinish })),
      expansions: [expansion(7, { releaseDate: `${released}T00:00:00.000Z` }), expansion(8)]
    }
  })
}

/** All rows of a lake's tables, by table. The words of finishes are in no order. */
const lakeContent = Effect.gen(function* () {
  const tables = yield* lakeRows("select schema_name || '.' || table_name as name from duckdb_tables() order by all")
  const rows = yield* Effect.forEach(tables, ({ name }) =>
    lakeRows(
      name === "search.texts"
        ? "select * replace (list_sort(string_split(facets, ' ')) as facets) from search.texts order by all"
        : `from ${String(name)} order by all`
    )
  )
  return Object.fromEntries(tables.map(({ name }, at) => [String(name), rows[at]]))
})
/** Which products were written first. */
const written = Effect.map(lakeRows("select product_id from search.texts"), (rows) =>
  rows.map((row) => String(row["product_id"]))
)

/** Publishes night after night, into the lake of the night before. */
const publishedEach = Effect.fnUntraced(function* <E, R>(
  nights: ReadonlyArray<Said>,
  afterEach: (publishAgain: ReturnType<typeof publish>) => Effect.Effect<void, E, R>
) {
  const home = yield* Home
  const lock = yield* lockHome("nightly", idOf("nights"))
  let before: (SnapshotFolder & { readonly idAudit: IdAudit }) | null = null
  const published: Array<SnapshotId> = []
  for (const [index, words] of nights.entries()) {
    const id = idOf(`night${index}`)
    const now: SnapshotFolder = yield* snapshotOf(id, { completedAt: nightTime(index * 4), ...words }, before)
    const changes = before === null ? null : home.changes(gameId, id)
    if (before !== null && changes !== null) yield* diffSnapshots(before, now, changes)
    const idAudit: IdAudit = yield* auditIds(now, changes, before)
    assert.deepStrictEqual(idAudit, yield* auditIds(now, changes, null))
    published.push(now.manifest.snapshot)
    const publishNow = publish(id, currentOf(gameId, published), lock)
    yield* publishNow
    yield* afterEach(publishNow)
    before = { ...now, idAudit }
  }
})

describe("what is searched after a night, its reused ids and the counts of doubtful ids", () => {
  live.full("are what is made anew from the files", () =>
    holds(fc.array(night, { minLength: 4, maxLength: 4 }), rounds(10, 1), (nights) =>
      publishedEach(said(nights), (publishAgain) =>
        Effect.gen(function* () {
          const { lake } = yield* Home
          const grown = yield* lakeContent
          const kept = [lake, `${lake}.sha256`].map((file) => [file, readFileSync(file)] as const)
          rmSync(lake)
          yield* publishAgain
          assert.deepStrictEqual(grown, yield* lakeContent)
          for (const [file, bytes] of kept) writeFileSync(file, bytes)
        })
      ).pipe(Effect.scoped, Effect.provide(emptyHome))
    )
  )

  testIn(emptyHome)("is written again of what the night touched, and of nothing else", function* () {
    const renamed = { place: 3, isMissing: false, more: { name: "Elf Token" } }
    const nights = [[], [renamed]].map((changes, low) => ({ changes, low, released: "2026-01-01" }))
    yield* publishedEach(said(nights), () => Effect.void)
    const places = yield* written
    assert.deepStrictEqual(places.slice(-2), ["9", "3"])
    assert.deepStrictEqual(places.slice(0, 4), ["0", "1", "10", "11"])
  })
})
