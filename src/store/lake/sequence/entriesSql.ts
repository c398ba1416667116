import type { Column } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { type Entity, type ListTable, listTables, type PriceTable, priceTables } from "./changedTables.ts"

/** SQL of a table's rows before and after a publication; null if they are equal. */
export type Sides = (table: string) => { readonly was: string; readonly is: string } | null

/** The columns by which the entries of an item are in order, after its id and the kind of entry. */
const orderKeys = ["finish", "source", "region", "condition", "language", "field_place"] as const

/** Returns SQL of entries: the columns of their order, and the JSON of each without its first keys. */
const selectEntries = (
  place: number,
  columns: { readonly id: string; readonly body: string } & Partial<Record<(typeof orderKeys)[number], string>>,
  from: string
): string => {
  const order = orderKeys.map((key) => `${columns[key] ?? (key === "field_place" ? "0" : "null::varchar")} as ${key}`)
  return `select ${columns.id} as id, ${place} as place, ${order.join(", ")}, ${columns.body} as body from ${from}`
}

/** Returns SQL of a value as JSON text. Numbers keep their digits. */
const jsonSql = ({ type }: Pick<Column, "type">, value: string): string =>
  /^(bigint|integer|decimal)/.test(type)
    ? `coalesce(${value}::varchar, 'null')`
    : `coalesce(to_json(${value})::varchar, 'null')`

const structSql = (columns: ReadonlyArray<Column>, from: string): string =>
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
const listsSql = ({ columns, table: { name } }: ListTable, rows: string): string => {
  const [only] = columns
  const element = columns.length === 1 && only !== undefined ? only.name : structSql(columns, "t")
  const order = name === "external_ids" ? "system, position" : name === "translations" ? "language" : "position"
  return `(select product_id, list(${element} order by ${order}) as items from (${rows}) t group by product_id)`
}

/** Returns SQL of every price of each product in a table. */
const pricesSql = ({ figures, keys, table }: PriceTable, rows: string): string => {
  const columns = table.columns.filter((column) => keys.includes(column.name) || figures.includes(column))
  const order = keys.map((key) => `${key} nulls first`).join(", ")
  return `(select product_id, list(${structSql(columns, "t")} order by ${order}) as items from (${rows}) t group by product_id)`
}

/** Everything of new products. */
const addedProducts = ({ fields, id }: Entity, { is }: { readonly is: (table: string) => string }): string => {
  const lists = [
    ...listTables.map((list) => [list.field, listsSql(list, is(list.table.name))] as const),
    ...priceTables.map((prices) => [prices.table.name, pricesSql(prices, is(prices.table.name))] as const)
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

/** The number of items in table `touched`, by the sides that have them. */
export interface Touched {
  readonly added: number
  readonly removed: number
  readonly modified: number
}

/** SQL of rows in a range of products. */
export interface RowsOf {
  readonly is: (table: string) => string
  readonly sides: Sides
  /** The condition that an id is in the range. */
  readonly range: (id: string) => string
}

/** Returns SQL of the entries of an entity's own table. Needs table `touched`. */
const ownEntries = (of: Entity, touched: Touched, rowsOf: RowsOf): ReadonlyArray<string> => {
  const { entity, fields, id, table } = of
  const sides = rowsOf.sides(table.name)
  if (sides === null) return []
  const key = id ?? "game_id"
  const shown = (from: string) => (id === null ? "null::bigint" : `${from}.${id}`)
  const value = (side: "w" | "i") => pick(fields, "u.n", (column) => jsonSql(column, `${side}."${column.name}"`))
  const item =
    entity === "product"
      ? addedProducts(of, rowsOf)
      : `(select ${key}, to_json(${structSql(fields, "t")})::varchar as item from (${sides.is}) t)`
  const isNew = id === null ? "" : ` semi join (select id from touched where not was) t on t.id = n.${id}`
  const removed = { id: "id", body: `'"kind":"removed"'` }
  const added = { id: shown("n"), body: `'"kind":"added","item":' || n.item` }
  const field = pick(fields, "u.n", ({ name }) => `'${name}'`)
  const body = `'"kind":"modified","field":"' || ${field} || '","old":' || ${value("w")} || ',"new":' || ${value("i")}`
  const isOld = id === null ? "" : ` semi join (select id from touched where was and "is") t on t.id = w.${id}`
  const was = `(from (${sides.was}) w${isOld}) w`
  const both = `${was} join (${sides.is}) i on w.${key} = i.${key}, unnest(${places(fields)}) u(n)`
  return [
    ...(touched.removed > 0
      ? [selectEntries(0, removed, `touched where was and not "is" and ${rowsOf.range("id")}`)]
      : []),
    ...(touched.added > 0 ? [selectEntries(0, added, `${item} n${isNew}`)] : []),
    ...(touched.modified > 0 ? [selectEntries(1, { id: shown("w"), field_place: "u.n", body }, both)] : [])
  ]
}

const listEntries = (
  list: ListTable,
  { sides }: RowsOf,
  { isInBoth, place }: PlaceOfEntries
): ReadonlyArray<string> => {
  const found = sides(list.table.name)
  if (found === null) return []
  const json = (items: string) => `coalesce(to_json(${items})::varchar, '[]')`
  const body = `'"kind":"modified","field":"${list.field}","old":' || ${json("was")} || ',"new":' || ${json("now")}`
  const from = `(
    select coalesce(w.product_id, i.product_id) as id, w.items as was, i.items as now
    from ${listsSql(list, found.was)} w full join ${listsSql(list, found.is)} i on w.product_id = i.product_id
    where w.items is distinct from i.items
  ) where ${isInBoth("id")}`
  return [selectEntries(place, { id: "id", body }, from)]
}

const priceEntries = (
  prices: PriceTable,
  { sides }: RowsOf,
  { isInBoth, place }: PlaceOfEntries
): ReadonlyArray<string> => {
  const { figures, keys, table } = prices
  const found = sides(table.name)
  if (found === null) return []
  const either = (name: string) => `coalesce(i."${name}", w."${name}")`
  // Only the figures that moved. If one side has no such price, those that the other side gives.
  const moved = (side: "w" | "i") => {
    const each = figures.map((column) => {
      const value = jsonSql(column, `${side}."${column.name}"`)
      return `if(w."${column.name}" is distinct from i."${column.name}", '"${column.name}":' || ${value}, null)`
    })
    return `if(${side}.product_id is null, 'null', '{' || concat_ws(',', ${each.join(", ")}) || '}')`
  }
  const shown = [...keys, ...(figures.some(({ name }) => name === "currency") ? ["currency"] : [])]
  const names = shown.map((name) => `',"${name}":' || ${jsonSql({ type: "varchar" }, either(name))}`)
  const body = [`'"kind":"moved","table":"${table.name}"'`, ...names, `',"old":'`, moved("w"), `',"new":'`, moved("i")]
  const same = ["product_id", ...keys].map((key) => `w."${key}" is not distinct from i."${key}"`).join(" and ")
  const from = `(${found.was}) w full join (${found.is}) i on ${same}
    where ${isInBoth(either("product_id"))}
    and (w.product_id is null or i.product_id is null or ${differ(figures)})`
  const order = Object.fromEntries(keys.map((key) => [key, either(key)]))
  return [selectEntries(place, { ...order, id: either("product_id"), body: body.join(" || ") }, from)]
}

interface PlaceOfEntries {
  readonly place: number
  /** The condition that both sides have a product. */
  readonly isInBoth: (id: string) => string
}

/** Returns SQL of the lines of an entity's entries, in order; null if there are none. Needs table `touched`. */
export const linesSql = (
  of: Entity,
  touched: Touched | null,
  { gameId, rowsOf, sequence }: { readonly gameId: string; readonly sequence: number; readonly rowsOf: RowsOf }
): string | null => {
  const isInBoth = (id: string) =>
    touched !== null && touched.added + touched.removed > 0
      ? `${id} not in (select id from touched where not (was and "is"))`
      : "true"
  const parts = [
    ...(touched === null ? [] : ownEntries(of, touched, rowsOf)),
    ...(of.entity !== "product"
      ? []
      : [
          ...listTables.flatMap((list, at) => listEntries(list, rowsOf, { isInBoth, place: 2 + at })),
          ...priceTables.flatMap((prices, at) => priceEntries(prices, rowsOf, { isInBoth, place: 10 + at }))
        ])
  ]
  if (parts.length === 0) return null
  const start = sqlText(`{"sequence":${sequence},"game_id":${JSON.stringify(gameId)},"entity":"${of.entity}",`)
  const id = of.id === null ? "" : `'"id":' || id || ',' || `
  return `select ${start} || ${id}body || '}' as line
    from (\n${parts.join("\nunion all\n")}\n)
    order by id, place, ${orderKeys.map((key) => `${key} nulls first`).join(", ")}`
}
