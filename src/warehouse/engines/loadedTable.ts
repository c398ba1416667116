import { Array as Arr } from "effect"
import type { ExportColumn } from "../drop/exportTables.ts"
import { type LoadPlan, type TableLoad, type WarehouseTable, type Warehouse, within } from "./LoadPlan.ts"

const column = (fieldId: number, name: string, type: "VARCHAR" | "DATE", comment: string): ExportColumn => ({
  name,
  lakeName: name,
  type,
  fieldId,
  since: 1,
  unit: null,
  comment
})

/** What a warehouse remembers: the partitions whose rows it has. */
export const loadedTable: WarehouseTable = {
  name: "cardlake_loaded",
  version: 1,
  comment: "Which partitions of the drop are loaded. One row per (game_id, snapshot_date, table_name).",
  columns: [
    column(1, "game_id", "VARCHAR", "the game of the path"),
    column(2, "snapshot_date", "DATE", "the dt of the path"),
    column(3, "table_name", "VARCHAR", "the table"),
    column(4, "sha256", "VARCHAR", "sha256 of the partition, as its manifest has it")
  ]
}

/** Forgets what a load is about to replace: if it dies, the next one loads it again. */
export const forget = ({ loads }: LoadPlan, text: Warehouse["text"]): string => {
  const bySame = Map.groupBy(loads, ({ stretches }) => JSON.stringify(stretches))
  const parts = [...bySame.values()].map((same) => {
    const tables = same.map(({ table }) => text(table.name)).join(", ")
    return `(table_name in (${tables}) and (${within(same[0]?.stretches ?? [], text)}))`
  })
  return `delete from cardlake.${loadedTable.name} where ${parts.join("\n  or ")}`
}

/** As many as every warehouse takes in one statement. */
const rowsAtOnce = 1000

/** Notes what was loaded. */
export const remember = ({ files, table }: TableLoad, text: Warehouse["text"]): ReadonlyArray<string> => {
  const rows = files.map(
    ({ dt, game, sha256 }) => `(${text(game)}, date '${dt}', ${text(table.name)}, ${text(sha256)})`
  )
  return Arr.chunksOf(rows, rowsAtOnce).map(
    (own) =>
      `insert into cardlake.${loadedTable.name} (game_id, snapshot_date, table_name, sha256) values\n${own.join(",\n")}`
  )
}
