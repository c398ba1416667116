import type { ExportColumn } from "../drop/exportTables.ts"
import type { LoadPlan, TableLoad, WarehouseTable } from "./LoadPlan.ts"

/** Names of a warehouse's types, by those of a drop; a decimal keeps its digits. */
export type TypeNames = Readonly<
  Record<"BOOLEAN" | "INT32" | "INT64" | "VARCHAR" | "DATE" | "TIMESTAMP" | "DECIMAL", string>
>

/** A kind of warehouse: facts, and templates of its statements. */
export interface Warehouse {
  readonly title: string
  /** How the script is run. */
  readonly usage: string
  /** It is elsewhere, where nobody can read a folder of this machine. */
  readonly isRemote: boolean
  /** What begins and ends a transaction over all tables; null = it has none. */
  readonly transaction: readonly [begin: string, commit: string] | null
  /** The longest script that it takes, in bytes. */
  readonly maxScriptLength?: number
  /** A text as a literal. */
  readonly text: (text: string) => string
  /** What comes before the tables. */
  readonly prepare: (plan: LoadPlan) => ReadonlyArray<string>
  /** Makes a table unless it is there. */
  readonly create: (table: WarehouseTable, plan: LoadPlan) => ReadonlyArray<string>
  /** Adds a column to a table of an earlier contract version. */
  readonly extend?: (table: WarehouseTable, column: ExportColumn) => string
  /** Comments, where they are statements of their own. */
  readonly describe?: (table: WarehouseTable) => ReadonlyArray<string>
  /** Connects a table with the drop's files. */
  readonly attach?: (plan: LoadPlan, load: TableLoad) => ReadonlyArray<string>
  /** Replaces a table's rows. Absent = queries read the drop's files, and nothing is loaded. */
  readonly fill?: (plan: LoadPlan, load: TableLoad) => ReadonlyArray<string>
}
