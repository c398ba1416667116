import { existsSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { FileDamaged } from "./FileDamaged.ts"
import { grownRows } from "./grownTables.ts"
import { sqlText } from "./sqlText.ts"
import type { SnapshotFolder } from "./loadSnapshot.ts"
import { partsOf } from "./parts.ts"
import { priceTables } from "./partTables.ts"

/**
 * SQL that reads a table of some snapshots, one of each game at most: each from its own file, else from the month's part that has
 * its rows, in the file's order. Fails where a snapshot has neither.
 */
export const snapshotRows = Effect.fnUntraced(function* (snapshots: ReadonlyArray<SnapshotFolder>, table: string) {
  const fileOf = ({ folder }: SnapshotFolder) => join(folder, `${table}.parquet`)
  const moved = yield* Effect.forEach(
    snapshots.filter((one) => !existsSync(fileOf(one))),
    (one) => partRows(one, table)
  )
  const own = grownRows(
    table,
    snapshots.filter((one) => existsSync(fileOf(one))),
    ({ manifest }) => manifest.contractVersion,
    (of) => `from read_parquet([${of.map(fileOf).map(sqlText).join(", ")}], hive_partitioning = false)`
  )
  return [...own, ...moved].join("\nunion all by name\n")
})

const partRows = Effect.fnUntraced(function* ({ folder, manifest }: SnapshotFolder, table: string) {
  const { gameId, snapshot } = manifest
  const priced = priceTables.find((one) => one.name === table)
  const kept = (yield* partsOf(gameId)).find(({ part }) => part.nights.some((night) => night.snapshot === snapshot))
  if (priced === undefined || kept === undefined) {
    const what = "it is gone, and no month of the history holds its rows"
    return yield* new FileDamaged({ file: join(folder, `${table}.parquet`), what })
  }
  const rows = `from (
    select * exclude (snapshot, seen_at)
    from read_parquet(${sqlText(join(kept.folder, `${table}.parquet`))}, hive_partitioning = false)
    where snapshot = ${sqlText(snapshot)}
    order by ${priced.order}
  )`
  return grownRows(
    table,
    [kept.part],
    (part) => part.contractVersion ?? 1,
    () => rows
  ).join("\nunion all by name\n")
})
