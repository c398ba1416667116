import type { Column } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { noRows } from "../snapshot/snapshotRows.ts"
import { type Entity, listTables, priceTables } from "./changedTables.ts"

/** SQL of a table's rows before and after a publication. */
export interface Sides {
  readonly was: string
  readonly is: string
  readonly isSame: boolean
}
export type SidesOf = (table: string) => Sides

/** Returns SQL of the items that one side lacks: `id`, and whether the other one `was`. */
export const unmatchedSql = ({ key }: Entity, { is, was }: Sides): string =>
  `select coalesce(w.${key}, i.${key}) as id, w.${key} is not null as was
   from (${was}) w full join (${is}) i on w.${key} = i.${key} where w.${key} is null or i.${key} is null`

/** The condition that both sides have an item. */
const inBoth = (id: string): string => `${id} not in (select id from unmatched)`

/** The columns by which the entries of an item are in order, after its id and the kind of entry. */
const orderColumns = [
  ...["finish", "source", "region", "condition", "language"].map((name) => ({ name, type: "varchar" })),
  { name: "field_place", type: "integer" }
]

/** Returns SQL of a value as JSON text. Numbers keep their digits. */
const jsonSql = ({ type }: Pick<Column, "type">, value: string): string =>
  `coalesce(${/^(bigint|integer|decimal)/.test(type) ? value : `to_json(${value})`}::varchar, 'null')`

const structSql = (columns: ReadonlyArray<Column>): string =>
  `{${columns.map(({ name }) => `"${name}": t."${name}"`).join(", ")}}`

/** Returns SQL of each product's list of rows; a table of one column has a list of its values. */
const listSql = (columns: ReadonlyArray<Column>, order: string, rows: string): string => {
  const [only] = columns
  const element = columns.length === 1 && only !== undefined ? `t.${only.name}` : structSql(columns)
  return `select t.product_id, list(${element} order by ${order}) as items from (${rows}) t group by t.product_id`
}

const nullsFirst = (keys: ReadonlyArray<string>): string => keys.map((key) => `${key} nulls first`).join(", ")

/** Returns SQL of the entries of new items, each with everything of the item. */
const addedSql = ({ entity, fields, key, table }: Entity, sides: SidesOf): string => {
  const added = (name: string, id: string) =>
    `from (${sides(name).is}) t semi join (from unmatched where not was) u on u.id = t.${id}`
  const lists = [
    ...listTables.map(({ columns, field, order, table: { name } }) => ({ columns, field, order, name })),
    ...priceTables.map(({ columns, keys, table: { name } }) => ({
      columns,
      field: name,
      order: nullsFirst(keys),
      name
    }))
  ].filter(() => entity === "product")
  const item = [
    structSql(fields).slice(1, -1),
    ...lists.map(({ field }) => `"${field}": coalesce("${field}".items, [])`)
  ]
  const joined = lists.map(
    ({ columns, field, name, order }) =>
      `left join (${listSql(columns, order, added(name, key))}) "${field}" on "${field}".${key} = t.${key}`
  )
  return `select t.${key} as id, 0 as place, '"kind":"added","item":' || to_json({${item.join(", ")}})::varchar as body
    from (${added(table.name, key)}) t ${joined.join("\n")}`
}

/** Fields that are compared, and what stands for the field of a missing row. */
interface Compared extends Pick<Sides, "was" | "is"> {
  readonly key: string
  readonly fields: ReadonlyArray<Pick<Column, "name" | "type">>
  readonly missing?: string
  readonly place: number
}

const differs = ({ name }: Pick<Column, "name">): string => `w."${name}" is distinct from i."${name}"`
const differAny = (columns: ReadonlyArray<Pick<Column, "name">>): string => columns.map(differs).join(" or ")

/** Returns SQL of an entry for each field that differs. */
const modifiedSql = ({ fields, is, key, missing = "null", place, was }: Compared): string => {
  const value = (side: string, name: string) => `coalesce(to_json(${side}."${name}")::varchar, '${missing}')`
  const differences = fields.map((field, at) => {
    const start = `'"kind":"modified","field":"${field.name}","old":'`
    const body = `${start} || ${value("w", field.name)} || ',"new":' || ${value("i", field.name)}`
    return `case when ${differs(field)} then {place: ${at}, body: ${body}} end`
  })
  const id = `coalesce(w.${key}, i.${key})`
  return `select id, ${place} as place, field.place as field_place, field.body as body from (
    select ${id} as id, unnest(list_filter([${differences.join(", ")}], lambda one: one is not null)) as field
    from (${was}) w full join (${is}) i on w.${key} = i.${key} where ${inBoth(id)} and (${differAny(fields)})
  )`
}

/** Returns SQL of an entry for each product whose list differs. Lists are made only of products of which a row does. */
const listModifiedSql = (
  { columns, field, order, table }: (typeof listTables)[number],
  { is, was }: Sides,
  place: number
): string => {
  const same = table.columns.map(({ name }) => `w."${name}" is not distinct from i."${name}"`)
  const rows = (side: string) => {
    const differing = `from (${side}) semi join differing using (product_id)`
    return `select product_id, items as "${field}" from (${listSql(columns, order, differing)})`
  }
  const fields = [{ name: field, type: "" }]
  return `select * from (
    with differing as materialized (
      select coalesce(w.product_id, i.product_id) as product_id from (${was}) w full join (${is}) i on ${same.join(" and ")}
      where w.product_id is null or i.product_id is null
    )
    ${modifiedSql({ key: "product_id", fields, missing: "[]", place, was: rows(was), is: rows(is) })}
  )`
}

/** Returns SQL of an entry for each price of which a figure differs. */
const movedSql = (
  { columns, figures, keys, table }: (typeof priceTables)[number],
  { is, was }: Sides,
  place: number
): string => {
  const either = (name: string) => `coalesce(i."${name}", w."${name}")`
  // Only the figures that moved. If one side has no such price, those that the other side gives.
  const moved = (side: "w" | "i") => {
    const each = figures.map(
      (one) => `if(${differs(one)}, '"${one.name}":' || ${jsonSql(one, `${side}."${one.name}"`)}, null)`
    )
    return `if(${side}.product_id is null, 'null', '{' || concat_ws(',', ${each.join(", ")}) || '}')`
  }
  const named = columns
    .filter(({ name }) => keys.includes(name) || name === "currency")
    .map((column) => `',"${column.name}":' || ${jsonSql(column, either(column.name))}`)
  const body = [`'"kind":"moved","table":"${table.name}"'`, ...named, `',"old":'`, moved("w"), `',"new":'`, moved("i")]
  const same = ["product_id", ...keys].map((key) => `w."${key}" is not distinct from i."${key}"`)
  return `select ${either("product_id")} as id, ${place} as place, ${keys.map((key) => `${either(key)} as ${key}`).join(", ")},
      ${body.join(" || ")} as body
    from (${was}) w full join (${is}) i on ${same.join(" and ")}
    where ${inBoth(either("product_id"))}
    and (w.product_id is null or i.product_id is null or ${differAny(figures)})`
}

/** Returns SQL of the lines of an entity's entries, in order; null if no table differs. Needs table `unmatched`. */
export const linesSql = (
  of: Entity,
  sides: SidesOf,
  { gameId, sequence }: { readonly gameId: string; readonly sequence: number }
): string | null => {
  const own = sides(of.table.name)
  const changed = <T extends { readonly table: { readonly name: string } }>(tables: ReadonlyArray<T>) =>
    tables.filter(({ table }) => of.entity === "product" && !sides(table.name).isSame)
  const parts = [
    ...(own.isSame
      ? []
      : [
          `select id, 0 as place, '"kind":"removed"' as body from unmatched where was`,
          addedSql(of, sides),
          modifiedSql({ ...of, ...own, place: 1 })
        ]),
    ...changed(listTables).map((one, at) => listModifiedSql(one, sides(one.table.name), 2 + at)),
    ...changed(priceTables).map((one, at) => movedSql(one, sides(one.table.name), 10 + at))
  ]
  if (parts.length === 0) return null
  const start = sqlText(`{"sequence":${sequence},"game_id":${JSON.stringify(gameId)},"entity":"${of.entity}",`)
  const id = of.entity === "game" ? "" : `'"id":' || id || ',' || `
  return `select ${start} || ${id}body || '}' as line from (${[noRows(orderColumns), ...parts].join("\nunion all by name\n")})
    order by id, place, ${nullsFirst(orderColumns.map(({ name }) => name))}`
}
