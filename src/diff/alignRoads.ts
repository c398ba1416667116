import { Effect } from "effect"
import { readCurrent, wasPublished } from "../home/Current.ts"
import type { SnapshotFolder } from "../home/Manifest.ts"
import type { Road } from "../home/Road.ts"
import { snapshotsOf } from "../home/snapshots.ts"
import type { Session } from "../lake/duckdb/Lake.ts"
import { verifySnapshot } from "../lake/snapshot/snapshotFiles.ts"
import { hasRowHashes, tableNamed } from "../schema/snapshotTables.ts"
import { sql, viewsOf } from "./openSnapshots.ts"

export const roadOf = ({ manifest }: SnapshotFolder): Road => manifest.road ?? "pages"

/** The last published snapshot, not after `from`, that was read by a road; null if there is none, or it is damaged. */
export const lastOfRoad = Effect.fnUntraced(function* (from: SnapshotFolder, road: Road) {
  const { gameId, snapshot } = from.manifest
  const current = yield* readCurrent
  const found = (yield* snapshotsOf(gameId)).findLast(
    (one) =>
      one.manifest.snapshot <= snapshot && wasPublished(current, gameId, one.manifest.snapshot) && roadOf(one) === road
  )
  if (found === undefined) return null
  return (yield* Effect.isSuccess(verifySnapshot(found))) ? found : null
})

/** The earlier rows of a table, with the columns that roads fill otherwise from the last reading by the later one's road. */
const alignedRows = (table: string, key: string, hasLast: boolean): string => {
  const replaced = tableNamed(table)
    .columns.filter(({ roads }) => roads !== "both")
    .map(({ name }) => {
      const known = hasLast ? `when l.${key} is not null then l.${name} ` : ""
      return `case when a.${key} is null then b.${name} ${known}else a.${name} end as ${name}`
    })
  const last = hasLast ? `left join last_of_road.${table} l on l.${key} = b.${key}` : ""
  return `select b.* replace (${replaced.join(", ")})
    from before.${table} b left join after.${table} a on a.${key} = b.${key} ${last}`
}

/** The statement that marks the products of a side by these columns, and by their lists without those of `same` tables. */
const marksOf = (side: string, fields: ReadonlyArray<string>, same: ReadonlyArray<string>): string => {
  const lines = sql("productMarks.sql")
    .split("\n")
    .filter((line) => !same.some((table) => line.endsWith(` side.${table}`)))
  const marks = lines
    .join("\n")
    .replaceAll("side.", `${side}.`)
    .replace("hash(fields)", `hash(${fields.join(", ")})`)
  return `create table ${side}.product_marks as ${marks}`
}

/** Lists of products that both snapshots have in the very same file: no product was touched in them. */
const sameLists = (from: SnapshotFolder, to: SnapshotFolder): ReadonlyArray<string> =>
  ["product_languages", "product_finishes", "external_ids", "translations"].filter(
    (table) => from.manifest.tables[table]?.sha256 === to.manifest.tables[table]?.sha256
  )

/**
 * Makes two snapshots comparable that were read by different roads. What only one road says, or each in its own manner,
 * is compared with the last reading by the later one's road; what none has said so far, with itself. Products count as touched
 * by their row hashes where both snapshots have them, else by their columns and lists.
 */
export const alignRoads = Effect.fnUntraced(function* (
  session: Session,
  { from, to }: { readonly from: SnapshotFolder; readonly to: SnapshotFolder },
  fields: ReadonlyArray<string>
) {
  if (roadOf(from) === roadOf(to)) {
    const isHashed = hasRowHashes(from.manifest.contractVersion) && hasRowHashes(to.manifest.contractVersion)
    const marks = (side: string) =>
      isHashed
        ? `create view ${side}.product_marks as select product_id, row_hash as mark from ${side}.products`
        : marksOf(side, fields, sameLists(from, to))
    return yield* session.run("Mark the products", [marks("before"), marks("after")].join(";\n"))
  }
  const last = yield* lastOfRoad(from, roadOf(to))
  const hasLast = last !== null
  const aligned = (table: string, rows: string) => [
    `create table aligned.${table} as ${rows}`,
    `drop view before.${table}`,
    `create view before.${table} as from aligned.${table}`
  ]
  const unknown = "from after.translations"
  const translations = hasLast
    ? `from last_of_road.translations union all by name ${unknown} t anti join last_of_road.products l on l.product_id = t.product_id`
    : unknown
  yield* session.run(
    "Compare two roads",
    [
      ...(last === null ? [] : yield* viewsOf("last_of_road", last)),
      "create schema aligned",
      ...aligned("products", alignedRows("products", "product_id", hasLast)),
      ...aligned("expansions", alignedRows("expansions", "expansion_id", hasLast)),
      ...aligned("translations", translations),
      marksOf("before", fields, []),
      marksOf("after", fields, [])
    ].join(";\n")
  )
})
