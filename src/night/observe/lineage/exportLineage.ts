import { Effect } from "effect"
import { resolve } from "node:path"
import { exportTables, expansionLanguages, type ExportTable } from "../../../warehouse/drop/exportTables.ts"
import { exportDrop, type Exported, type ExportOptions, listSkipReasons } from "../../../warehouse/exportDrop.ts"
import { tableFolder, tableName } from "../../../warehouse/drop/Drop.ts"
import {
  bucketDataset,
  lakeDataset,
  type Dataset,
  type DatasetFacts,
  withLineage,
  type LineageEnd
} from "./withLineage.ts"

/** Returns a table of an export, named by OpenLineage's rules for buckets and disks. */
const dropDataset = (to: string, folder: string, facts: DatasetFacts): Dataset => {
  return to.startsWith("s3://")
    ? bucketDataset(to, folder, facts)
    : { namespace: "file", name: `${resolve(to)}/${folder}`, ...facts }
}

/** Returns the lake's table that an export's table is made from. */
const lakeTable = ({ name }: ExportTable): string => (name === expansionLanguages.name ? "expansions" : name)

const describeEnd = Effect.fnUntraced(function* (exported: Exported) {
  const { decimals, format, games, to } = exported
  const leftAlone = listSkipReasons(exported)
  const partitions = games.flatMap((game) => game.partitions.filter(({ did }) => did !== "unchanged"))
  const tables = exportTables(decimals).flatMap((table) => {
    const own = partitions.filter((one) => one.table === table.name)
    return own.length === 0 ? [] : [{ table, own }]
  })
  return {
    inputs: yield* Effect.forEach(new Set(tables.map(({ table }) => lakeTable(table))), (name) => lakeDataset(name)),
    outputs: tables.map(({ own, table }) =>
      dropDataset(to, format === "files" ? tableFolder(table) : tableName(table), {
        columns: table.columns,
        rows: own.reduce((sum, { rows }) => sum + rows, 0),
        bytes: own.reduce((sum, { bytes }) => sum + bytes, 0)
      })
    ),
    reason: leftAlone.length === 0 ? null : leftAlone.join(". ")
  } satisfies LineageEnd
})

export const exportWithLineage = (options: ExportOptions) =>
  withLineage("cardlake.export", exportDrop(options), describeEnd)
