import { type ExportColumn, type ExportTable, nightsName, dropReadings, leadNames } from "../drop/exportTables.ts"
import { ownText } from "../../feed/disk/ownText.ts"
import { parseTableFile, type TableFile } from "../../feed/schema/tableFile.ts"
import { dirname, join } from "node:path"
import { Effect } from "effect"
import { lakeStep } from "../../feed/reading/LakeError.ts"
import { Disk } from "../../feed/disk/Disk.ts"
import { makeFolders } from "../../feed/disk/makeFolders.ts"
import { tablesInDrop } from "./dropLoads.ts"
import { joinBelow } from "../../feed/guard/joinBelow.ts"

/** A mart with a row for every price of every day, so it is a view: queries read only a part. */
const series = "cardlake_price_series"
/** Analysts' questions, answered in the warehouse as the lake's macros and views do. */
const marts = [series, "cardlake_movers", "cardlake_set_values", "cardlake_set_value_series"].map((name) =>
  parseTableFile(ownText(new URL(`marts/${name}.sql`, import.meta.url)))
)

/** Quotes a text for YAML, which accepts JSON strings. */
const quoted = (text: string): string => JSON.stringify(text)

const martYaml = ({ columns, comment, name }: TableFile): string =>
  [
    `  - name: ${name}`,
    `    description: ${quoted(comment)}`,
    `    config: {materialized: ${name === series ? "view" : "table"}}`,
    "    columns:",
    ...columns.flatMap((column) => [
      `      - name: ${column.name}`,
      `        description: ${quoted(column.comment)}`,
      ...(column.name === "game_id" ? ["        data_tests: [not_null]"] : [])
    ])
  ].join("\n")

/** SQL that finds duplicate keys. */
const keyTest = (rows: string, key: string): string => `select ${key}, count(*) as copies
from {{ ${rows} }}
group by ${key}
having count(*) > 1
`

/** An empty table in place of one that an export has only after a backfill. */
const noBackfill = `(
    select game_id, snapshot_date, product_id, finish, price_source, currency, low, mid, high, market_value
    from {{ ref('stg_cardlake__source_prices') }} where 1 = 0
  )`
const martQuery = ({ query }: TableFile, there: ReadonlySet<string>): string =>
  there.has("backfilled_prices") ? query : query.replace("{{ ref('stg_cardlake__backfilled_prices') }}", noBackfill)

/** Returns the marts whose tables all exist, with their descriptions and key tests. */
export const dbtMarts = (tables: ReadonlyArray<ExportTable>): ReadonlyArray<readonly [path: string, text: string]> => {
  const there = new Set(tables.map(({ name }) => name))
  const possible = marts.filter(({ reads }) => reads.every((name) => there.has(name)))
  if (possible.length === 0) return []
  return [
    ["models/cardlake/marts.yml", `version: 2\n\nmodels:\n${possible.map(martYaml).join("\n")}\n`],
    ...possible.flatMap((mart) => [
      [`models/cardlake/${mart.name}.sql`, `${martQuery(mart, there)}\n`] as const,
      [`tests/${mart.name}_key.sql`, keyTest(`ref('${mart.name}')`, mart.grain.slice(1, -1))] as const
    ])
  ]
}

const columnYaml = ({ comment, name, unit }: ExportColumn): string => {
  const description = unit === null || comment.includes(unit) ? comment : `${comment} (${unit})`
  const lines = [`          - name: ${name}`, `            description: ${quoted(description)}`]
  return [...lines, ...(leadNames.has(name) ? ["            data_tests: [not_null]"] : [])].join("\n")
}

/** As for `cardlake doctor`, 36 hours without a reading are late; readings without changes count. */
const freshness = `        loaded_at_field: read_at
        freshness:
          warn_after: {count: 36, period: hour}
          error_after: {count: 3, period: day}`

const tableYaml = (table: ExportTable): string =>
  [
    `      - name: ${table.name}`,
    `        description: ${quoted(table.comment)}`,
    ...(table.name === dropReadings.name ? [freshness] : []),
    "        columns:",
    ...table.columns.map(columnYaml)
  ].join("\n")

const sources = (tables: ReadonlyArray<ExportTable>): string => `version: 2

sources:
  - name: cardlake
    schema: cardlake
    description: ${quoted("Catalogue and prices of a trading-card marketplace, by night")}
    tables:
${tables.map(tableYaml).join("\n")}
`

/** A staging model with only rows of nights that count, or with all rows if they belong to no night. */
const staging = ({ columns, name, scope }: ExportTable): string => {
  const rows = `select
${columns.map((column) => `  t.${column.name}`).join(",\n")}
from {{ source('cardlake', '${name}') }} as t
`
  if (scope !== "game") return rows
  if (name === nightsName) return `${rows}where t.counts\n`
  return `${rows}where exists (
  select 1
  from {{ source('cardlake', '${nightsName}') }} as n
  where n.game_id = t.game_id and n.snapshot_id = t.snapshot_id and n.counts
)
`
}

/**
 * Returns the files of a dbt project: the source with descriptions, tests and freshness; a staging model and a key test
 * for each table; and the marts whose tables exist.
 */
export const dbtFiles = (tables: ReadonlyArray<ExportTable>): ReadonlyArray<readonly [path: string, text: string]> => [
  ["models/cardlake/sources.yml", sources(tables)],
  ...tables.flatMap((table) => [
    [`models/cardlake/stg_cardlake__${table.name}.sql`, staging(table)] as const,
    [
      `tests/cardlake_${table.name}_key.sql`,
      keyTest(`source('cardlake', '${table.name}')`, table.key.join(", "))
    ] as const
  ]),
  ...dbtMarts(tables)
]

/** The DuckDB file that the profile names, and that the printed script fills. */
export const dbtWarehouse = "warehouse.duckdb"

/** A project and a profile for DuckDB, with which the models run at once. Existing files are never replaced. */
const projectFiles = {
  "dbt_project.yml": `name: cardlake
version: "1.0"
profile: cardlake
model-paths: [models]
test-paths: [tests]
`,
  "profiles.yml": `cardlake:
  target: duckdb
  outputs:
    duckdb:
      type: duckdb
      path: ${dbtWarehouse}
      threads: 2
      settings: {TimeZone: UTC}
`
}

/** Writes the dbt files of an export into a project, replacing their earlier ones, never its profile. */
export const writeDbt = Effect.fn("writeDbt")(function* (address: string, folder: string) {
  const { exists } = yield* Disk
  const files = [
    ...Object.entries(projectFiles).filter(([path]) => !exists(join(folder, path))),
    ...dbtFiles(yield* tablesInDrop(address))
  ]
  yield* Effect.forEach(
    files,
    ([path, text]) =>
      lakeStep(`Write ${folder}/${path}`, async (disk) => {
        const file = joinBelow(folder, path)
        await makeFolders(disk, dirname(file))
        await disk.write(file, text)
      }),
    { discard: true }
  )
  return { folder, files: files.map(([path]) => path) }
})
