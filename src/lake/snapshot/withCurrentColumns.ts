import type { Column } from "../../schema/tableFile.ts"

/** The keys of a JSON object that belong to prices, or those that do not; null if there are none. */
const keysOf = (object: string, ofPrices: boolean): string =>
  `nullif(to_json(map_from_entries(list_filter(
    map_entries(from_json(${object}, '"MAP(VARCHAR, JSON)"')),
    lambda entry: (entry.key in ('prices', 'pricesByFinish')) = ${ofPrices}
  )))::varchar, '{}')::json`

/** Columns that are more than a new name, by name. Version 1 kept unknown price blocks in a product's `extra`. */
const backfills: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  price_extra: { extra: keysOf("extra", false), price_extra: `coalesce(price_extra, ${keysOf("extra", true)})` }
}

/** SQL of a table without a row. */
export const noRows = (columns: ReadonlyArray<Pick<Column, "name" | "type">>): string => {
  const nulls = columns.flatMap(({ name, type }) => (type === "" ? [] : [`null::${type} as ${name}`]))
  return `select ${nulls.join(", ")} where false`
}

/**
 * SQL of rows that any release may have written, as this one would have: columns that they lack are null, renamed
 * ones have their current name. Files of several releases need `union_by_name` or one select each.
 */
export const withCurrentColumns = (columns: ReadonlyArray<Column>, rows: string): string => {
  const typed = columns.filter(({ type }) => type !== "")
  const renamed = typed.flatMap(({ formerly, name, type }) =>
    formerly === null ? [] : [{ formerly: formerly.name, name, type }]
  )
  const known = [...typed, ...renamed.map(({ formerly, type }) => ({ name: formerly, type }))]
  const exclude = renamed.length === 0 ? "" : ` exclude (${renamed.map(({ formerly }) => formerly).join(", ")})`
  const replaced = {
    ...Object.fromEntries(renamed.map(({ formerly, name }) => [name, `coalesce(${name}, ${formerly})`])),
    ...Object.fromEntries(typed.flatMap(({ name }) => Object.entries(backfills[name] ?? {})))
  }
  const replacements = Object.entries(replaced).map(([name, value]) => `${value} as ${name}`)
  const replace = replacements.length === 0 ? "" : ` replace (${replacements.join(", ")})`
  return `select *${exclude}${replace} from (${noRows(known)} union all by name ${rows})`
}
