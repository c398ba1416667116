import { type ExportColumn, type ExportTable, nightsName, dropReadings } from "../drop/exportTables.ts"
import { leadColumns } from "../drop/exportNames.ts"
import { dbtMarts } from "./dbtMarts.ts"

/** YAML accepts JSON texts. */
const quoted = (text: string): string => JSON.stringify(text)

const always = new Set(leadColumns.map(({ name }) => name))

const columnYaml = ({ comment, name, unit }: ExportColumn): string => {
  const told = unit === null || comment.includes(unit) ? comment : `${comment} (${unit})`
  const lines = [`          - name: ${name}`, `            description: ${quoted(told)}`]
  return [...lines, ...(always.has(name) ? ["            data_tests: [not_null]"] : [])].join("\n")
}

/** A day and a half without a reading is late, as for `cardlake doctor`; one that found nothing new is a reading. */
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
    description: ${quoted("A trading-card marketplace's catalogue and prices, a night at a time")}
    tables:
${tables.map(tableYaml).join("\n")}
`

/** Only nights that count. Where a row belongs to none, every row does. */
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

const keyTest = ({ key, name }: ExportTable): string => `select ${key.join(", ")}, count(*) as copies
from {{ source('cardlake', '${name}') }}
group by ${key.join(", ")}
having count(*) > 1
`

/**
 * Files of a dbt project: the source with descriptions, tests and freshness, a staging model and a key test for each
 * table, and the marts that these tables are enough for.
 */
export const dbtFiles = (tables: ReadonlyArray<ExportTable>): ReadonlyArray<readonly [path: string, text: string]> => [
  ["models/cardlake/sources.yml", sources(tables)],
  ...tables.flatMap((table) => [
    [`models/cardlake/stg_cardlake__${table.name}.sql`, staging(table)] as const,
    [`tests/cardlake_${table.name}_key.sql`, keyTest(table)] as const
  ]),
  ...dbtMarts(tables)
]
