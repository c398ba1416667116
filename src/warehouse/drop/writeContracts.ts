import { leadNames, dropReadings, nightsName, type ExportTable } from "./exportTables.ts"
import { Effect } from "effect"
import { isBucket } from "../../store/home/bucket/homeAddress.ts"
import type { Destination } from "../destination/Destination.ts"
import { partName } from "./Drop.ts"

/** Tables whose rows refer to a product. Lists of products may name an expansion that the feed does not list. */
const ofProducts = new Set([
  "product_languages",
  "product_finishes",
  "external_ids",
  "source_prices",
  "source_price_conditions",
  "marketplace_prices",
  "marketplace_price_conditions"
])

/** Tables without a foreign key to `nights`: a night that a reading confirmed may be older than the export. */
const tablesWithoutNight = new Set([nightsName, dropReadings.name])

const listForeignKeys = ({ name: table, scope }: ExportTable) => {
  const to = (other: string, ...more: ReadonlyArray<string>) => {
    const columns = ["game_id", "snapshot_id", ...more]
    return { columns, table: other, references: columns }
  }
  return [
    ...(scope !== "game" || tablesWithoutNight.has(table) ? [] : [to(nightsName)]),
    ...(ofProducts.has(table) ? [to("products", "product_id")] : []),
    ...(table === "expansion_languages" ? [to("expansions", "expansion_id")] : []),
    ...(table === "deployment_changes" ? [to("deployments", "deployment_id")] : [])
  ]
}

/** `contract.json`: the guarantees of a table for those who load it. */
export const tableContract = (table: ExportTable, location: string) => ({
  table: table.name,
  version: table.version,
  location,
  partitionedBy: ["game", "dt"],
  comment: table.comment,
  key: table.key,
  columns: table.columns.map((column) => ({
    name: column.name,
    type: column.type,
    fieldId: column.fieldId,
    nullable: !leadNames.has(column.name),
    unit: column.unit,
    comment: column.comment,
    lakeColumn: column.lakeName
  })),
  foreignKeys: listForeignKeys(table)
})
type TableContract = ReturnType<typeof tableContract>

/** How old the last reading of an export may be: one night, and half a day for somebody to react. */
const maxAgeHours = 36

/** The types of the standard that our types are. */
const logicalTypes: Readonly<Record<string, string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "integer",
  VARCHAR: "string",
  DATE: "date",
  TIMESTAMP: "timestamp"
}

const physicalType = (type: string): string => ({ INT32: "INTEGER", INT64: "BIGINT" })[type] ?? type

const property = ({ comment, name, nullable, type, unit }: TableContract["columns"][number]) => ({
  name,
  logicalType: logicalTypes[type] ?? "number",
  physicalType: physicalType(type),
  description: comment,
  ...(!nullable && { required: true }),
  ...(unit !== null && { customProperties: [{ property: "unit", value: unit }] })
})

/** A rule that counts the rows that break it. */
const rule = (id: string, description: string, query: string) => ({
  id,
  type: "sql",
  description,
  query: `select count(*) from (${query})`,
  mustBe: 0
})

/** Where the files are, relative to a folder. In a table format, files of replaced rows remain, so there is no server. */
const servers = ({ location }: TableContract, root: string) => {
  if (!location.endsWith(partName)) return {}
  const files = location.replaceAll(/<\w+>/g, "*")
  const server = isBucket(root) ? { type: "s3", location: `${root}/${files}` } : { type: "local", path: `./${files}` }
  return { servers: [{ server: "export", ...server, format: "parquet" }] }
}

/**
 * Returns a table's contract as a document of the Open Data Contract Standard, which other programs can test. Its key is
 * a rule, because a primary key of the standard has no nulls.
 */
const openContract = (contract: TableContract, checks: ReadonlyArray<string>, root: string) => {
  const { columns, comment, key, table, version } = contract
  const quotedKey = key.map((name) => `"${name}"`).join(", ")
  return {
    apiVersion: "v3.0.2",
    kind: "DataContract",
    id: `cardlake-${table}`,
    name: table,
    version: `${version}.0.0`,
    status: "active",
    ...servers(contract, root),
    schema: [
      {
        name: table,
        logicalType: "object",
        physicalType: "table",
        description: comment,
        properties: columns.map(property),
        quality: [
          rule(
            "key",
            `(${key.join(", ")}) is unique`,
            `select ${quotedKey} from ${table} group by all having count(*) > 1`
          ),
          ...checks.map((check, place) =>
            rule(`check${place + 1}`, check, `from ${table} where not coalesce(${check}, true)`)
          )
        ]
      }
    ],
    // The last table of a day; other tables may have no rows on a day.
    ...(table === nightsName && {
      slaProperties: [{ property: "freshness", value: maxAgeHours, unit: "h", element: `${table}.read_at` }]
    })
  }
}

/** Returns the text of `datacontract.yaml`: as JSON, which is YAML. */
export const openContractText = (...of: Parameters<typeof openContract>): string =>
  `${JSON.stringify(openContract(...of), null, 2)}\n`

/** The files beside a table that say what it promises: for programs that know ours, and those that know the standard. */
export const contractFiles = ["contract.json", "datacontract.yaml"] as const

/** Writes the contract beside every table whose contract has changed, in both forms. */
export const writeContracts = (
  to: Destination,
  tables: ReadonlyArray<ExportTable>,
  locationOf: (table: ExportTable) => string
) =>
  Effect.forEach(
    tables,
    Effect.fnUntraced(function* (table) {
      const contract = tableContract(table, locationOf(table))
      const texts = [`${JSON.stringify(contract, null, 2)}\n`, openContractText(contract, table.checks, to.root)]
      for (const [place, name] of contractFiles.entries()) {
        const [path, text = ""] = [`${table.name}/${name}`, texts[place]]
        if ((yield* to.read(path)) !== text) yield* to.write(path, text)
      }
    }),
    { discard: true }
  )
