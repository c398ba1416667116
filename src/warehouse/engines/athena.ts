import { tableAddress, type Warehouse, commented, definitions, escaped, typesWith } from "./LoadPlan.ts"

const { list } = definitions(typesWith({ INT32: "int", VARCHAR: "string" }), commented(escaped))

/** Athena derives the partitions from the games and days in the export. `DROP TABLE` does not delete the files. */
export const athena: Warehouse = {
  title: "Athena",
  usage: "one statement at a time; run it again when the export has a new game, a new column or an earlier first day",
  isRemote: true,
  transaction: null,
  text: escaped,
  prepare: () => ["create database if not exists cardlake"],
  create: (table, plan) => {
    const files = plan.loads.find((load) => load.table.name === table.name)?.files ?? []
    const games = [...new Set(files.map(({ game }) => game))].join(",")
    const [first] = files.map(({ dt }) => dt).sort()
    return [
      `drop table if exists cardlake.${table.name}`,
      `create external table cardlake.${table.name} ${list(table)}
comment ${escaped(table.comment)}
partitioned by (game string, dt date)
stored as parquet
location ${escaped(`${tableAddress(plan, table)}/`)}
tblproperties (
  'projection.enabled' = 'true',
  'projection.game.type' = 'enum',
  'projection.game.values' = ${escaped(games)},
  'projection.dt.type' = 'date',
  'projection.dt.format' = 'yyyy-MM-dd',
  'projection.dt.range' = '${first},NOW+1DAYS'
)`
    ]
  }
}
