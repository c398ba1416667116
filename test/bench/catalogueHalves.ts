import { copyFileSync, mkdirSync, readdirSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { Lake, sqlText, parquetFormat } from "../../src/store/lake/duckdb/Lake.ts"
import { parquetRows } from "./NightPrices.ts"

/** Ids that look wrong in both halves: shared, doubled and missing. */
const wrongIds = (rows: string) => `
  select * replace (if(system = 'sourceUsd' and product_id % 1000 = 11, (external_id::bigint - 2)::varchar, external_id) as external_id)
  from ${rows} where not (system = 'sourceUsd' and finish = 'Foil' and product_id % 1000 in (25, 31, 37))
  union all by name
  select * replace (9 as position, 'second' || external_id as external_id) from ${rows}
  where system = 'sourceEur' and finish = 'Standard' and product_id % 1000 = 13`

const halves = [
  { leaves: 3, products: (rows: string) => `from ${rows}`, ids: (rows: string) => `from ${rows}` },
  {
    leaves: 8,
    products: (rows: string) =>
      `select * replace (
         if(product_id % 100 = 7, name || ', Reforged', name) as name,
         if(product_id % 100 = 7, name_slug || '-reforged', name_slug) as name_slug
       ) from ${rows}`,
    // One product has the id of the next one, which gets another.
    ids: (rows: string) =>
      `select * replace (case when system <> 'sourceEur' then external_id
         when product_id % 100 = 21 then (external_id::bigint + 1)::varchar
         when product_id % 100 = 22 then 'new' || external_id else external_id end as external_id
       ) from ${rows}`
  }
] as const

/**
 * Makes the catalogues of a year's two halves from a snapshot: of a hundred products one arrives, one leaves, one is
 * renamed, and an id passes to another. Returns their folders, each beside the seed's own manifest.
 */
export const catalogueHalves = Effect.fnUntraced(function* (seedFolder: string, folder: string) {
  const session = yield* (yield* Lake).session
  const folders: Array<string> = []
  for (const [at, { ids, leaves, products }] of halves.entries()) {
    const to = join(folder, `half-${at + 1}`)
    mkdirSync(to, { recursive: true })
    folders.push(to)
    for (const file of readdirSync(seedFolder)) {
      const table = file.replace(".parquet", "")
      const rows = parquetRows(seedFolder, table)
      const described = file.endsWith(".parquet") ? yield* session.rows("Describe", `describe from ${rows}`) : []
      if (!described.some((column) => column["column_name"] === "product_id")) {
        copyFileSync(join(seedFolder, file), join(to, file))
        continue
      }
      const changed =
        table === "products" ? products(rows) : table === "external_ids" ? ids(`(${wrongIds(rows)})`) : `from ${rows}`
      const order = table === "external_ids" ? "product_id, system, position" : "product_id"
      yield* session.run(
        "Write",
        `copy (from (${changed}) where product_id % 100 <> ${leaves} order by ${order}) to ${sqlText(join(to, file))} ${parquetFormat()}`
      )
    }
  }
  return folders
}, Effect.scoped)
