import { readFileSync } from "node:fs"
import { parseTableFile, type TableFile } from "../../feed/schema/tableFile.ts"
import type { ExportTable } from "../drop/exportTables.ts"

/** Has a row for every price of every day: a query asks for some of them. */
const series = "cardlake_price_series"
/** Questions of an analyst, answered in the warehouse as the lake's macros and views answer them. */
const marts = [series, "cardlake_movers", "cardlake_set_values", "cardlake_set_value_series"].map((name) =>
  parseTableFile(readFileSync(new URL(`marts/${name}.sql`, import.meta.url), "utf8"))
)

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

const keyTest = ({ grain, name }: TableFile): string => {
  const key = grain.slice(1, -1)
  return `select ${key}, count(*) as copies
from {{ ref('${name}') }}
group by ${key}
having count(*) > 1
`
}

/** A drop has this table once there was a backfill; until then the marts read none of its rows. */
const noBackfill = `(
    select game_id, snapshot_date, product_id, finish, price_source, currency, low, mid, high, market_value
    from {{ ref('stg_cardlake__source_prices') }} where 1 = 0
  )`
const queryOf = ({ query }: TableFile, there: ReadonlySet<string>): string =>
  there.has("backfilled_prices") ? query : query.replace("{{ ref('stg_cardlake__backfilled_prices') }}", noBackfill)

/** The marts whose tables are all there, with their descriptions and key tests. */
export const dbtMarts = (tables: ReadonlyArray<ExportTable>): ReadonlyArray<readonly [path: string, text: string]> => {
  const there = new Set(tables.map(({ name }) => name))
  const possible = marts.filter(({ reads }) => reads.every((name) => there.has(name)))
  if (possible.length === 0) return []
  return [
    ["models/cardlake/marts.yml", `version: 2\n\nmodels:\n${possible.map(martYaml).join("\n")}\n`],
    ...possible.flatMap((mart) => [
      [`models/cardlake/${mart.name}.sql`, `${queryOf(mart, there)}\n`] as const,
      [`tests/${mart.name}_key.sql`, keyTest(mart)] as const
    ])
  ]
}
