import type { Column } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { type Entity, type ListTable, listTables, type PriceTable, priceTables } from "./changedTables.ts"

/** SQL of a table's rows before and after a publication; null if they are equal. */
export type Sides = (table: string) => { readonly was: string; readonly is: string } | null

/** The columns of an entry but the first three, `sequence`, `game_id` and `entity`. `old`, `new` and `item` are JSON. */
export const entryColumns = {
  id: "bigint",
  kind: "varchar",
  table: "varchar",
  finish: "varchar",
  source: "varchar",
  region: "varchar",
  condition: "varchar",
  language: "varchar",
  currency: "varchar",
  field: "varchar",
  old: "varchar",
  new: "varchar",
  item: "varchar"
}
type EntryColumn = keyof typeof entryColumns

/** Returns SQL of entries: the given columns, and `place`, the order among the entries of an item. */
const selectEntries = (
  place: number,
  columns: Partial<Record<EntryColumn | "field_place", string>>,
  from: string
): string => {
  const each = Object.entries(entryColumns).map(
    ([name, type]) => `${columns[name as EntryColumn] ?? `null::${type}`} as "${name}"`
  )
  return `select ${place} as place, ${columns.field_place ?? "0"} as field_place, ${each.join(", ")} from ${from}`
}

/** Returns SQL of a value as JSON text. Numbers keep their digits. */
const jsonOf = ({ type }: Pick<Column, "type">, value: string): string =>
  /^(bigint|integer|decimal)/.test(type)
    ? `coalesce(${value}::varchar, 'null')`
    : `coalesce(to_json(${value})::varchar, 'null')`

const structOf = (columns: ReadonlyArray<Column>, from: string): string =>
  `{${columns.map(({ name }) => `"${name}": ${from}."${name}"`).join(", ")}}`

const differ = (columns: ReadonlyArray<Column>): string =>
  columns.map(({ name }) => `w."${name}" is distinct from i."${name}"`).join(" or ")

/** Returns a column of several by its place; SQL `null` if there is none. */
const pick = (columns: ReadonlyArray<Column>, place: string, sql: (column: Column) => string): string =>
  `case ${place} ${columns.map((column, at) => `when ${at} then ${sql(column)}`).join(" ")} end`

/** Returns SQL of a list of the places of columns that differ. */
const places = (columns: ReadonlyArray<Column>): string =>
  `list_filter([${columns.map(({ name }, at) => `if(w."${name}" is distinct from i."${name}", ${at}, null)`).join(", ")}], lambda x: x is not null)`

/** Returns SQL of each product's list. */
const listsOf = ({ columns, table: { name } }: ListTable, rows: string): string => {
  const [only] = columns
  const element = columns.length === 1 && only !== undefined ? only.name : structOf(columns, "t")
  const order = name === "external_ids" ? "system, position" : name === "translations" ? "language" : "position"
  return `(select product_id, list(${element} order by ${order}) as items from (${rows}) t group by product_id)`
}

/** Returns SQL of every price of each product in a table. */
const pricesOf = ({ figures, keys, table }: PriceTable, rows: string): string => {
  const columns = table.columns.filter((column) => keys.includes(column.name) || figures.includes(column))
  const order = keys.map((key) => `${key} nulls first`).join(", ")
  return `(select product_id, list(${structOf(columns, "t")} order by ${order}) as items from (${rows}) t group by product_id)`
}

/** Everything of new products. */
const addedProducts = ({ fields, id }: Entity, { is }: { readonly is: (table: string) => string }): string => {
  const lists = [
    ...listTables.map((list) => [list.field, listsOf(list, is(list.table.name))] as const),
    ...priceTables.map((prices) => [prices.table.name, pricesOf(prices, is(prices.table.name))] as const)
  ]
  const item = [
    ...fields.map(({ name }) => `"${name}": i."${name}"`),
    ...lists.map(([name]) => `"${name}": coalesce("${name}".items, [])`)
  ]
  const joined = lists.map(([name, sql]) => `left join ${sql} "${name}" using (${id})`)
  return `(select i.${id}, to_json({${item.join(", ")}})::varchar as item
    from (${is("products")}) i semi join (select id from touched where not was) t on t.id = i.${id} ${joined.join(" ")})`
}

/** Returns SQL of the items that one side lacks, or of which a field differs: `id`, `was`, `is`. */
export const touchedSql = ({ fields, id }: Entity, sides: { readonly was: string; readonly is: string }): string => {
  const key = id ?? "game_id"
  const shown = id === null ? "null::bigint" : `coalesce(w.${id}, i.${id})`
  return `select ${shown} as id, w.${key} is not null as was, i.${key} is not null as "is"
    from (${sides.was}) w full join (${sides.is}) i on w.${key} = i.${key}
    where w.${key} is null or i.${key} is null or ${differ(fields)}`
}

/** What table `touched` has: items that only one side has, and whether both sides have others. */
export interface Touched {
  readonly added: boolean
  readonly removed: boolean
  readonly modified: boolean
}

/** Returns SQL of the entries of an entity's own table. Needs table `touched`. */
const ownEntries = (of: Entity, touched: Touched, rowsOf: RowsOf) => {
  const { entity, fields, id, table } = of
  const sides = rowsOf.sides(table.name)
  if (sides === null) return []
  const key = id ?? "game_id"
  const shown = (from: string) => (id === null ? "null::bigint" : `${from}.${id}`)
  const value = (side: "w" | "i") => pick(fields, "u.n", (column) => jsonOf(column, `${side}."${column.name}"`))
  const item =
    entity === "product"
      ? addedProducts(of, rowsOf)
      : `(select ${key}, to_json(${structOf(fields, "t")})::varchar as item from (${sides.is}) t)`
  return [
    ...(touched.removed
      ? [selectEntries(0, { id: "id", kind: "'removed'" }, `touched where was and not "is" and ${rowsOf.range("id")}`)]
      : []),
    ...(touched.added
      ? [
          selectEntries(
            0,
            { id: shown("n"), kind: "'added'", item: "n.item" },
            id === null ? `${item} n` : `${item} n semi join (select id from touched where not was) t on t.id = n.${id}`
          )
        ]
      : []),
    ...(touched.modified
      ? [
          selectEntries(
            1,
            {
              id: shown("w"),
              kind: "'modified'",
              field: pick(fields, "u.n", ({ name }) => `'${name}'`),
              field_place: "u.n",
              old: value("w"),
              new: value("i")
            },
            `(${sides.was}) w join (${sides.is}) i on w.${key} = i.${key}, unnest(${places(fields)}) u(n)`
          )
        ]
      : [])
  ]
}

/** SQL of rows in a range of products. */
export interface RowsOf {
  readonly is: (table: string) => string
  readonly sides: Sides
  /** The condition that an id is in the range. */
  readonly range: (id: string) => string
}

const isInBoth = (id: string) => `${id} not in (select id from touched where not (was and "is"))`

const listEntries = (list: ListTable, { sides }: RowsOf, place: number): ReadonlyArray<string> => {
  const found = sides(list.table.name)
  if (found === null) return []
  const columns = {
    id: "id",
    kind: "'modified'",
    field: `'${list.field}'`,
    old: "coalesce(to_json(was)::varchar, '[]')",
    new: "coalesce(to_json(now)::varchar, '[]')"
  }
  const from = `(
    select coalesce(w.product_id, i.product_id) as id, w.items as was, i.items as now
    from ${listsOf(list, found.was)} w full join ${listsOf(list, found.is)} i on w.product_id = i.product_id
    where w.items is distinct from i.items
  ) where ${isInBoth("id")}`
  return [selectEntries(place, columns, from)]
}

const priceEntries = (prices: PriceTable, { sides }: RowsOf, place: number): ReadonlyArray<string> => {
  const { figures, keys, table } = prices
  const found = sides(table.name)
  if (found === null) return []
  const either = (name: string) => `coalesce(i."${name}", w."${name}")`
  const hasCurrency = figures.some(({ name }) => name === "currency")
  // Only the figures that moved; all of them if one side has no such price.
  const moved = (side: "w" | "i") => {
    const each = figures.map((column) => {
      const value = jsonOf(column, `${side}."${column.name}"`)
      return `if(w."${column.name}" is distinct from i."${column.name}", '"${column.name}":' || ${value}, null)`
    })
    return `if(${side}.product_id is null, 'null', '{' || concat_ws(',', ${each.join(", ")}) || '}')`
  }
  const columns = {
    id: either("product_id"),
    kind: "'moved'",
    table: `'${table.name}'`,
    ...Object.fromEntries(keys.map((key) => [key, either(key)])),
    ...(hasCurrency ? { currency: either("currency") } : {}),
    old: moved("w"),
    new: moved("i")
  }
  const same = ["product_id", ...keys].map((key) => `w."${key}" is not distinct from i."${key}"`).join(" and ")
  const from = `(${found.was}) w full join (${found.is}) i on ${same}
    where ${isInBoth(either("product_id"))}
    and (w.product_id is null or i.product_id is null or ${differ(figures)})`
  return [selectEntries(place, columns, from)]
}

/** Returns SQL of an entity's entries, in order; null if there are none. Needs table `touched`. */
export const entriesSql = (of: Entity, touched: Touched | null, rowsOf: RowsOf): string | null => {
  const parts = [
    ...(touched === null ? [] : ownEntries(of, touched, rowsOf)),
    ...(of.entity !== "product"
      ? []
      : [
          ...listTables.flatMap((list, at) => listEntries(list, rowsOf, 2 + at)),
          ...priceTables.flatMap((prices, at) => priceEntries(prices, rowsOf, 10 + at))
        ])
  ]
  if (parts.length === 0) return null
  const order =
    "id, place, finish, source nulls first, region nulls first, condition, language nulls first, field_place"
  return `select * exclude (place, field_place) from (\n${parts.join("\nunion all\n")}\n) order by ${order}`
}

/** Returns SQL of the lines of entries, as JSON. */
export const linesSql = (
  entries: string,
  { entity, gameId, sequence }: { readonly entity: string; readonly gameId: string; readonly sequence: number }
): string => {
  const named = (name: string, value: string) => `coalesce(',"${name}":' || ${value}, '')`
  const text = (name: string) => named(name, `to_json("${name}")::varchar`)
  const orNull = (name: string, tables: string) =>
    `if("table" in (${tables}), ',"${name}":' || coalesce(to_json("${name}")::varchar, 'null'), '')`
  const start = sqlText(`{"sequence":${sequence},"game_id":${JSON.stringify(gameId)},"entity":"${entity}"`)
  const parts = [
    start,
    named("id", "id::varchar"),
    text("kind"),
    text("table"),
    text("finish"),
    text("source"),
    orNull("region", "'marketplace_prices', 'marketplace_price_conditions'"),
    text("condition"),
    orNull("language", "'source_price_conditions', 'marketplace_price_conditions'"),
    text("currency"),
    text("field"),
    named("old", "old"),
    named("new", "new"),
    named("item", "item"),
    "'}'"
  ]
  return `select ${parts.join(" || ")} as line from (${entries})`
}
