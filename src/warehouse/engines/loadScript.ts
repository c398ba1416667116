import { Effect, Array as Arr } from "effect"
import { isBucket } from "../../store/home/bucket/homeAddress.ts"
import { athena } from "./athena.ts"
import { bigquery } from "./bigquery.ts"
import { clickhouse } from "./clickhouse.ts"
import { databricks } from "./databricks.ts"
import { dropLoads } from "./dropLoads.ts"
import { duckdb } from "./duckdb.ts"
import { type LoadPlan, type WarehouseTable, type Warehouse, type TableLoad, within } from "./LoadPlan.ts"
import type { LoadRequest } from "./planLoad.ts"
import { postgres } from "./postgres.ts"
import { redshift } from "./redshift.ts"
import { snowflake } from "./snowflake.ts"
import { trino } from "./trino.ts"
import type { ExportColumn } from "../drop/exportTables.ts"
import { Fault } from "../../feed/contract/Fault.ts"

const column = (fieldId: number, name: string, type: "VARCHAR" | "DATE", comment: string): ExportColumn => ({
  name,
  lakeName: name,
  type,
  fieldId,
  since: 1,
  unit: null,
  comment
})

/** The table of a warehouse with the partitions it has loaded. */
export const loadedTable: WarehouseTable = {
  name: "cardlake_loaded",
  version: 1,
  comment: "Loaded partitions of the export. One row per (game_id, snapshot_date, table_name).",
  columns: [
    column(1, "game_id", "VARCHAR", "game in the path"),
    column(2, "snapshot_date", "DATE", "dt in the path"),
    column(3, "table_name", "VARCHAR", "the table"),
    column(4, "sha256", "VARCHAR", "sha256 of the partition, from its manifest")
  ]
}

/** Deletes the load records of partitions before they are replaced, so that the next load repeats a failed one. */
export const forget = ({ loads }: LoadPlan, text: Warehouse["text"]): string => {
  const bySame = Map.groupBy(loads, ({ stretches }) => JSON.stringify(stretches))
  const parts = [...bySame.values()].map((same) => {
    const tables = same.map(({ table }) => text(table.name)).join(", ")
    return `(table_name in (${tables}) and (${within(same[0]?.stretches ?? [], text)}))`
  })
  return `delete from cardlake.${loadedTable.name} where ${parts.join("\n  or ")}`
}

/** The maximum number of rows per statement in every warehouse. */
const rowsAtOnce = 1000

export const remember = ({ files, table }: TableLoad, text: Warehouse["text"]): ReadonlyArray<string> => {
  const rows = files.map(
    ({ dt, game, sha256 }) => `(${text(game)}, date '${dt}', ${text(table.name)}, ${text(sha256)})`
  )
  return Arr.chunksOf(rows, rowsAtOnce).map(
    (own) =>
      `insert into cardlake.${loadedTable.name} (game_id, snapshot_date, table_name, sha256) values\n${own.join(",\n")}`
  )
}

/** The warehouses with load scripts. */
const warehouses = {
  bigquery,
  snowflake,
  redshift,
  athena,
  databricks,
  trino,
  clickhouse,
  postgres,
  duckdb
} satisfies Record<string, Warehouse>
export type EngineName = keyof typeof warehouses

/** Returns why a warehouse cannot reach the export; null = it can. */
const reachFault = ({ isRemote, title }: Warehouse, { location }: LoadPlan): string | null =>
  isRemote && !isBucket(location)
    ? `${title} cannot read ${location}, a folder of this machine. Export to a bucket and print the script for it`
    : null

const daysText = ({ loaded, since, until }: LoadRequest): string => {
  const upTo = until === null ? "" : ` up to ${until}`
  if (loaded !== null) return `days that are not loaded yet or have changed${upTo}`
  return since === null ? `every day${upTo}` : `every day since ${since}${upTo}`
}

const transactionText = ({ fill, title, transaction }: Warehouse): string => {
  if (fill === undefined) return `Nothing is loaded: ${title} queries read the files of the export.`
  if (transaction !== null) return "All tables change in one transaction."
  return `${title} has no transaction over several tables. While the script runs, some tables are new and some are old. If it fails, run it again.`
}

/** Formats texts as comments, each on one line. */
const commentLines = (texts: ReadonlyArray<string | null>): string =>
  texts.flatMap((text) => (text === null ? [] : [`-- ${text.replaceAll(/\s+/g, " ")}\n`])).join("")

/** True for a psql command, which ends with its line and has no semicolon. */
const isOfPsql = (statement: string) => statement.startsWith("\\") || statement.endsWith("\\gexec")

const tableStatements = ({ create, describe, extend }: Warehouse, table: WarehouseTable, plan: LoadPlan) => [
  ...create(table, plan),
  ...(extend === undefined
    ? []
    : table.columns.filter(({ since }) => since > 1).map((column) => extend(table, column))),
  ...(describe?.(table) ?? [])
]

const loadStatements = ({ fill, text, transaction }: Warehouse, plan: LoadPlan): ReadonlyArray<string> => {
  const loads = plan.loads.filter(({ stretches }) => stretches.length > 0)
  if (fill === undefined || loads.length === 0) return []
  const [begin, commit] = transaction ?? []
  return [
    ...(begin === undefined ? [] : [begin]),
    forget({ ...plan, loads }, text),
    ...loads.flatMap((load) => [fill(plan, load), remember(load, text)].flat()),
    ...(commit === undefined ? [] : [commit])
  ]
}

/** Returns the script for a plan. It is idempotent. */
export const writeScript = Effect.fnUntraced(function* (plan: LoadPlan, name: EngineName, request: LoadRequest) {
  const warehouse: Warehouse = warehouses[name]
  const fault = reachFault(warehouse, plan)
  if (fault !== null) yield* Effect.logWarning(fault)
  const statements = [
    ...warehouse.prepare(plan),
    ...(warehouse.fill === undefined ? [] : tableStatements(warehouse, loadedTable, plan)),
    ...plan.loads.flatMap((load) => [
      ...tableStatements(warehouse, load.table, plan),
      ...(warehouse.attach?.(plan, load) ?? [])
    ]),
    ...loadStatements(warehouse, plan)
  ]
  const { maxScriptLength, title, usage } = warehouse
  const head = commentLines([
    `Loads Cardlake's export in ${plan.location} into ${title}: ${daysText(request)}. You can run it repeatedly.`,
    `Run with: ${usage}`,
    transactionText(warehouse),
    fault
  ])
  const ended = statements.map((statement) => (isOfPsql(statement) ? statement : `${statement};`))
  const script = `${head}\n${ended.join("\n\n")}\n`
  const bytes = Buffer.byteLength(script)
  if (maxScriptLength !== undefined && bytes > maxScriptLength) {
    return yield* new Fault(
      "ScriptTooLong",
      `The script has ${bytes} bytes; ${title} accepts at most ${maxScriptLength}. Load the export in steps: first with --until DAY, then the rest with --since auto`
    )
  }
  return script
})

const everything: LoadRequest = { since: null, until: null, loaded: null }

export const loadScript = Effect.fn("loadScript")(function* (
  address: string,
  name: EngineName,
  request: LoadRequest | null
) {
  return yield* writeScript(yield* dropLoads(address, request ?? everything), name, request ?? everything)
})
