import type { Column } from "../../../feed/schema/tableFile.ts"
import { sqlText } from "../duckdb/Lake.ts"
import { noRows, rowHash } from "../snapshot/snapshotRows.ts"
import { type Entity, listTables, priceTables } from "./changedTables.ts"

/** SQL of a table's rows before and after a publication. */
export interface Sides {
  readonly was: string
  readonly is: string
  readonly isSame: boolean
}
export type SidesOf = (table: string) => Sides

/** The lists that an entity's items have. */
const listsOf = ({ entity }: Entity) => (entity === "product" ? listTables : [])

/**
 * Returns SQL of table `differing`: the items whose row (place 0) or list differs, and on which side they are. Hashes of
 * rows decide, as for the comparison of a night.
 */
export const differingSql = (of: Entity, sides: SidesOf): string => {
  const each = [of, ...listsOf(of)].map(({ table: { columns, name } }, place) => {
    const { is, isSame, was } = sides(name)
    const rows = (isWas: boolean, side: string) =>
      `select ${isWas} as is_was, ${of.key} as id, hash(${rowHash(columns)}) as mark from (${side})`
    return isSame
      ? []
      : [
          `select ${place} as place, id, bool_or(is_was) as was, not bool_and(is_was) as "is"
           from (${rows(true, was)} union all ${rows(false, is)}) group by id having bit_xor(mark) <> 0`
        ]
  })
  const none = noRows([
    { name: "place", type: "integer" },
    { name: "id", type: of.entity === "game" ? "varchar" : "bigint" },
    { name: "was", type: "boolean" },
    { name: "is", type: "boolean" }
  ])
  return [none, ...each.flat()].join("\nunion all ")
}

/** SQL of the ids of items that only one side has. */
const onOneSide = `(select id from differing where place = 0 and not (was and "is"))`

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
    `from (${sides(name).is}) t semi join (from differing where place = 0 and not was) d on d.id = t.${id}`
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
  readonly fields: ReadonlyArray<Pick<Column, "name">>
  readonly missing?: string
  /** The place of the entries after those of whole items. */
  readonly place: number
}

/** Returns SQL of the rows of items that both sides have and that differ at a place. */
const differingRows = (rows: string, key: string, place: number): string =>
  `from (${rows}) t semi join (from differing where place = ${place} and id not in ${onOneSide}) d on d.id = t.${key}`

const differs = ({ name }: Pick<Column, "name">): string => `w."${name}" is distinct from i."${name}"`

/** Returns SQL of an entry for each field that differs. */
const modifiedSql = ({ fields, is, key, missing = "null", place, was }: Compared): string => {
  const value = (side: string, name: string) => `coalesce(to_json(${side}."${name}")::varchar, '${missing}')`
  const differences = fields.map((field, at) => {
    const start = `'"kind":"modified","field":"${field.name}","old":'`
    const body = `${start} || ${value("w", field.name)} || ',"new":' || ${value("i", field.name)}`
    return `case when ${differs(field)} then {place: ${at}, body: ${body}} end`
  })
  const id = `coalesce(w.${key}, i.${key})`
  return `select id, ${place + 1} as place, field.place as field_place, field.body as body from (
    select ${id} as id, unnest(list_filter([${differences.join(", ")}], lambda one: one is not null)) as field
    from (${was}) w full join (${is}) i on w.${key} = i.${key}
  )`
}

/** Returns SQL of an entry for each product whose list differs. */
const listModifiedSql = (
  { columns, field, order }: (typeof listTables)[number],
  { is, was }: Pick<Sides, "was" | "is">,
  place: number
): string => {
  const rows = (side: string) =>
    `select product_id, items as "${field}" from (${listSql(columns, order, differingRows(side, "product_id", place))})`
  return modifiedSql({
    key: "product_id",
    fields: [{ name: field }],
    missing: "[]",
    place,
    was: rows(was),
    is: rows(is)
  })
}

/** Returns SQL of an entry for each price of which a figure differs. */
const movedSql = (
  { columns, figures, keys, table }: (typeof priceTables)[number],
  { is, was }: Sides,
  place: number
): string => {
  const either = (name: string) => `coalesce(i."${name}", w."${name}")`
  // Only the figures that moved. If one side has no such price, those that the other side gives. All in one flat concat.
  const moved = (field: string, side: "w" | "i") => {
    const ifMissing = (then: string, otherwise: string) => `if(${side}.product_id is null, ${then}, ${otherwise})`
    const each = figures.flatMap((one, at) => {
      const earlier = ["false", ...figures.slice(0, at).map(differs)].join(" or ")
      const name = `if(${earlier}, ',"${one.name}":', '"${one.name}":')`
      return [name, jsonSql(one, `${side}."${one.name}"`)].map((text) =>
        ifMissing("null", `if(${differs(one)}, ${text}, null)`)
      )
    })
    return [`',"${field}":'`, ifMissing("'null'", "'{'"), ...each, ifMissing("null", "'}'")]
  }
  const named = columns
    .filter(({ name }) => keys.includes(name) || name === "currency")
    .flatMap((column) => [`',"${column.name}":'`, jsonSql(column, either(column.name))])
  const body = [`'"kind":"moved","table":"${table.name}"'`, ...named, ...moved("old", "w"), ...moved("new", "i")]
  const same = keys.map((key) => `w."${key}" is not distinct from i."${key}"`)
  return `select ${either("product_id")} as id, ${place} as place, ${keys.map((key) => `${either(key)} as ${key}`).join(", ")},
      concat(${body.join(", ")}) as body
    from (${was}) w full join (${is}) i on w.product_id = i.product_id and ${same.join(" and ")}
    where (w.product_id is null or i.product_id is null or ${figures.map(differs).join(" or ")})`
}

/** Counts of an entity's items: `added`, `removed`, and those that differ at each place. */
export type Differing = ReadonlyMap<string, number>

/** SQL of rows of a {@link Differing} for table `differing`. */
export const countDifferingSql = `select case when place > 0 or (was and "is") then place::varchar when was then 'removed' else 'added' end as what,
  count(*)::integer as items from differing group by what`

export interface WantedLines {
  readonly gameId: string
  readonly sequence: number
  readonly differing: Differing
  /** Returns the condition that an id is in the range; null = every one. */
  readonly within: ((id: string) => string) | null
}

/** Returns SQL of the lines of an entity's entries, in order; null if there are none. Needs table `differing`. */
export const linesSql = (
  of: Entity,
  sides: SidesOf,
  { differing, gameId, sequence, within }: WantedLines
): string | null => {
  const inRange = (rows: string, id: string) => (within === null ? rows : `from (${rows}) where ${within(id)}`)
  const ranged: SidesOf = (table) => {
    const { is, isSame, was } = sides(table)
    return { isSame, was: inRange(was, of.key), is: inRange(is, of.key) }
  }
  const ofBoth = (sql: string) =>
    differing.has("added") || differing.has("removed") ? `from (${sql}) where id not in ${onOneSide}` : sql
  const entries = (what: string | number, sql: () => string) => (differing.has(String(what)) ? [sql()] : [])
  const moves = of.entity === "product" ? priceTables.filter(({ table }) => !sides(table.name).isSame) : []
  const parts = [
    ...entries("removed", () => {
      const rows = `select id, 0 as place, '"kind":"removed"' as body from differing where place = 0 and not "is"`
      return inRange(rows, "id")
    }),
    ...entries("added", () => addedSql(of, ranged)),
    ...entries(0, () => {
      const { is, was } = ranged(of.table.name)
      return modifiedSql({ ...of, place: 0, was: differingRows(was, of.key, 0), is: differingRows(is, of.key, 0) })
    }),
    ...listsOf(of).flatMap((one, at) => entries(at + 1, () => listModifiedSql(one, ranged(one.table.name), at + 1))),
    ...moves.map((one, at) => ofBoth(movedSql(one, ranged(one.table.name), 10 + at)))
  ]
  if (parts.length === 0) return null
  const start = sqlText(`{"sequence":${sequence},"game_id":${JSON.stringify(gameId)},"entity":"${of.entity}",`)
  const id = of.entity === "game" ? "" : `'"id":', id, ',', `
  return `select concat(${start}, ${id}body, '}') from (${[noRows(orderColumns), ...parts].join("\nunion all by name\n")})
    order by id, place, ${nullsFirst(orderColumns.map(({ name }) => name))}`
}
