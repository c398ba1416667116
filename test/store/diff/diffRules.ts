import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { differenceOf, emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { holds } from "../lake/heldByFastCheck.ts"
import type { Row } from "../lake/tableRows.ts"
import { naiveChanges } from "./naiveChanges.ts"
import { type Catalogue, wornCatalogues } from "./wornCatalogues.ts"

const said = ({ expansions, products }: Catalogue) => ({
  products: [...products.values()],
  expansions: [...expansions.values()]
})

/** A row as `entity id change class field`, without field where the whole item came or went. */
const shown = (row: Row): string =>
  ["entity", "id", "change", "class", "field"]
    .flatMap((column) => (row[column] === null ? [] : [row[column]]))
    .join(" ")

const itemsOf = (rows: ReadonlyArray<string>, pattern: RegExp): number =>
  new Set(rows.filter((row) => pattern.test(row)).map((row) => row.split(" ")[1])).size

/** The counts that a diff must show for these rows. */
const counts = (rows: ReadonlyArray<string>, entity: string) => ({
  added: itemsOf(rows, new RegExp(`^${entity} \\d+ added`)),
  removed: itemsOf(rows, new RegExp(`^${entity} \\d+ removed`)),
  modified: itemsOf(rows, new RegExp(`^${entity} \\d+ modified`)),
  modifiedCatalogue: itemsOf(rows, new RegExp(`^${entity} \\d+ modified catalogue`)),
  modifiedPrice: itemsOf(rows, new RegExp(`^${entity} \\d+ modified price`))
})

/** The other direction of a row: added is removed, old is new. */
const turned = (row: Row): Row => ({
  ...row,
  change: row["change"] === "added" ? "removed" : row["change"] === "removed" ? "added" : row["change"],
  old: row["new"],
  new: row["old"]
})

const placeOf = (row: Row): string => `${String(row["entity"])} ${String(row["id"])} ${String(row["field"])}`
const valuesOf = (rows: ReadonlyArray<Row>): ReadonlyArray<string> =>
  rows
    .map((row) =>
      [placeOf(row), row["change"], row["class"], row["old"], row["new"]].map((it) => JSON.stringify(it)).join(" ")
    )
    .sort()

/** A difference is what a deep comparison finds, its reverse backwards, nothing between equals. */
export const diffIsDeepComparison = (cases: number, products: number) =>
  holds(wornCatalogues(2, products), cases, ([first, second]) =>
    Effect.gen(function* () {
      if (first === undefined || second === undefined) return
      const a = yield* snapshotOf("a", said(first))
      const b = yield* snapshotOf("b", said(second))
      const there = yield* differenceOf(a, b)
      const expected = naiveChanges(first, second)
      assert.deepStrictEqual(there.changes.map(shown).sort(), expected)
      assert.deepStrictEqual(there.diff.changes.products, counts(expected, "product"))
      assert.deepStrictEqual(there.diff.changes.expansions, counts(expected, "expansion"))

      const back = yield* differenceOf(b, a)
      assert.deepStrictEqual(valuesOf(back.changes.map(turned)), valuesOf(there.changes))

      const nothing = yield* differenceOf(a, a)
      assert.deepStrictEqual(nothing.changes, [])
    }).pipe(Effect.provide(emptyHome))
  )

/**
 * Two steps in a row, as one:
 * the first old value and the last new one of every field that ends up different.
 */
const composed = (first: ReadonlyArray<Row>, second: ReadonlyArray<Row>): ReadonlyArray<Row> => {
  const rows = new Map(first.map((row) => [placeOf(row), row]))
  for (const row of second) {
    const before = rows.get(placeOf(row))
    if (before === undefined) rows.set(placeOf(row), row)
    else rows.set(placeOf(row), { ...before, new: row["new"] })
  }
  return [...rows.values()].filter((row) => row["old"] !== row["new"])
}

/** Items that came or went, as `entity id change`. */
const comings = (rows: ReadonlyArray<Row>): ReadonlyMap<string, unknown> =>
  new Map(rows.filter((row) => row["change"] !== "modified").map((row) => [placeOf(row), row["change"]]))

/** Two steps in a row: what came and went again, or went and came back, neither came nor went. */
const comingsOfBoth = (first: ReadonlyMap<string, unknown>, second: ReadonlyMap<string, unknown>) =>
  new Map([...first, ...second].filter(([place]) => !(first.has(place) && second.has(place))))

/**
 * Three snapshots: two steps make the one step over both,
 * in the fields of items that stay, and in which items come and go.
 */
export const diffsCompose = (cases: number, products: number) =>
  holds(wornCatalogues(3, products), cases, (moments) =>
    Effect.gen(function* () {
      const [a, b, c] = yield* Effect.forEach(moments, (moment, index) => snapshotOf(`s${index}`, said(moment)))
      if (a === undefined || b === undefined || c === undefined) return
      const stays = (row: Row) =>
        moments.every((moment) =>
          (row["entity"] === "product" ? moment.products : moment.expansions).has(Number(row["id"]))
        )
      const first = yield* differenceOf(a, b)
      const second = yield* differenceOf(b, c)
      const both = yield* differenceOf(a, c)
      // Not of documents: two whose keys only differ in order are equal, but not as text.
      const steps = composed(first.changes.filter(stays), second.changes.filter(stays)).filter(
        (row) => !["attributes", "extra"].includes(String(row["field"]))
      )
      const direct = both.changes.filter((row) => stays(row) && !["attributes", "extra"].includes(String(row["field"])))
      assert.deepStrictEqual(valuesOf(steps), valuesOf(direct))
      assert.deepStrictEqual(
        [...comingsOfBoth(comings(first.changes), comings(second.changes))].sort(),
        [...comings(both.changes)].sort()
      )
    }).pipe(Effect.provide(emptyHome))
  )
