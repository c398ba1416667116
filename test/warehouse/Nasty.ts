import { Effect, Layer } from "effect"
import { emptyHome } from "../store/lake/handMadeNights.ts"
import { fileRows } from "../store/lake/tableRows.ts"
import { contractsIn, dropRows, exportTo, temporaryFolder } from "./FourNights.ts"
import { publishNasty } from "./nastyCatalogue.ts"
import { shared } from "../support/suite.ts"

/** A column as hexadecimal digits of its text: no program on the way from an engine changes those. */
const digits = {
  duckdb: (name: string) => `lower(hex("${name}"::varchar))`,
  postgres: (name: string) => `encode(convert_to("${name}"::text, 'UTF8'), 'hex')`
}

/** SQL of a table's rows, each as the digest of all its values. */
export const digestsSql = (
  engine: keyof typeof digits,
  columns: ReadonlyArray<{ readonly name: string }>,
  from: string
) =>
  `select md5(concat_ws(',', ${columns.map(({ name }) => `coalesce(${digits[engine](name)}, '-')`).join(", ")})) as row ${from} order by 1`

/** Digests of a table's rows in files, as DuckDB reads them. */
export const digestsOf = (columns: ReadonlyArray<{ readonly name: string }>, from: string) =>
  Effect.map(fileRows(digestsSql("duckdb", columns, from)), (rows) => rows.map(({ row }) => String(row)))

/** A home in which every text of the feed is nasty, and its drop; not to be changed. */
const Shared = shared("Nasty", function* () {
  yield* publishNasty
  const drop = yield* temporaryFolder
  yield* exportTo(drop)
  const known = yield* Effect.forEach(contractsIn(drop), ({ columns, table }) =>
    Effect.map(digestsOf(columns, dropRows(drop, table)), (rows) => [table, rows] as const)
  )
  return { drop, known: new Map(known) }
})
export const Nasty = Object.assign(Shared, { layer: Layer.provideMerge(Shared.layer, emptyHome) })
