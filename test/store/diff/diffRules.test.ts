import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { differenceOf, emptyHome, snapshotOf } from "../lake/handMadeNights.ts"
import { live } from "../../support/suite.ts"
import { rounds } from "../../tried.ts"
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

live("a difference is what a deep comparison finds, its reverse backwards, and nothing between equal ones", () =>
  holds(wornCatalogues(2, rounds(200, 60)), rounds(30, 1), ([first, second]) =>
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
)
