/** A row by column. A number is its digits, so that no figure is rounded; what is null is absent. */
export type Row = Record<string, unknown>

/** The current tables, but what the feed leaves out: key columns, then columns that it lacks. */
export const replicated: Readonly<
  Record<string, readonly [keys: ReadonlyArray<string>, without: ReadonlyArray<string>]>
> = {
  games: [[], []],
  expansions: [["expansion_id"], []],
  products: [["product_id"], []],
  product_languages: [["product_id", "position"], []],
  product_finishes: [["product_id", "position"], []],
  external_ids: [["product_id", "system", "position"], []],
  translations: [["product_id", "language"], []],
  source_prices: [
    ["product_id", "finish", "source"],
    ["change_24h", "change_7d", "change_30d", "is_listed"]
  ],
  source_price_conditions: [["product_id", "finish", "source", "condition", "language"], ["is_listed"]],
  marketplace_prices: [["product_id", "finish", "region"], ["is_listed"]],
  marketplace_price_conditions: [["product_id", "finish", "region", "condition", "language"], ["is_listed"]]
}

/** Parses JSON with numbers as their digits. */
export const parseExact = (text: string): Row =>
  (JSON.parse as (text: string, revive: (key: string, value: unknown, at: { source: string }) => unknown) => Row)(
    text,
    (_, value, { source }) => (typeof value === "number" ? source : value)
  )

const lists: Readonly<Record<string, readonly [table: string, column: string | null]>> = {
  languages: ["product_languages", "language"],
  finishes: ["product_finishes", "finish"],
  external_ids: ["external_ids", null],
  translations: ["translations", null]
}

/** The rows of a list, each with its place: of external ids, among those of its system. */
const rowsOfList = (field: string, values: ReadonlyArray<unknown>): ReadonlyArray<Row> => {
  const [, column] = lists[field] ?? ["", null]
  const seen = new Map<unknown, number>()
  return values.map((value) => {
    const row: Row = column === null ? { ...(value as Row) } : { [column]: value }
    if (field === "translations") return row
    const place = (seen.get(row["system"]) ?? 0) + 1
    seen.set(row["system"], place)
    return { ...row, position: String(place) }
  })
}

const ofProducts = Object.keys(replicated).filter((name) => replicated[name]?.[0].includes("product_id"))

type Rows = Map<string, Map<string, Row>>

const itemOf = (row: Row) => JSON.stringify([row["game_id"], row["product_id"] ?? row["expansion_id"] ?? null])
const copyRows = (rows: Rows = new Map()): Rows => new Map(Array.from(rows, ([item, own]) => [item, new Map(own)]))

/** What another program keeps of a lake, by the entries alone: rows by table, item and key. */
export const makeReplica = (copied: ReadonlyMap<string, Rows> = new Map()) => {
  const tables = new Map(Object.keys(replicated).map((name) => [name, copyRows(copied.get(name))]))
  const keyOf = (table: string, row: Row) =>
    JSON.stringify((replicated[table]?.[0] ?? []).map((key) => row[key] ?? null))
  const rowsOf = (table: string, row: Row) => tables.get(table)?.get(itemOf(row))
  const find = (table: string, row: Row) => rowsOf(table, row)?.get(keyOf(table, row))
  const put = (table: string, row: Row) => {
    const own = rowsOf(table, row) ?? new Map<string, Row>()
    tables.get(table)?.set(itemOf(row), own.set(keyOf(table, row), row))
  }
  const drop = (table: string, of: Row) => tables.get(table)?.delete(itemOf(of))
  const putList = (field: string, of: Row, values: unknown) => {
    const [table = ""] = lists[field] ?? []
    drop(table, of)
    for (const row of rowsOfList(field, values as ReadonlyArray<unknown>)) put(table, { ...of, ...row })
  }
  const addItem = (table: string, of: Row, item: Row) => {
    const row = { ...of }
    for (const [field, value] of Object.entries(item))
      if (table === "products" && field in lists) putList(field, of, value)
      else if (field in replicated) for (const price of value as ReadonlyArray<Row>) put(field, { ...of, ...price })
      else row[field] = value
    put(table, row)
  }
  const movePrice = (entry: Row, of: Row) => {
    const table = String(entry["table"])
    const key: Row = { ...of }
    for (const column of replicated[table]?.[0] ?? []) if (column !== "product_id") key[column] = entry[column] ?? null
    if (entry["new"] === null) rowsOf(table, key)?.delete(keyOf(table, key))
    else put(table, { ...(entry["old"] === null ? {} : find(table, key)), ...key, ...(entry["new"] as Row) })
  }
  const apply = (entry: Row) => {
    const { entity, field, game_id, id, item, kind } = entry
    if (entity === "backfill") return
    const table = `${String(entity)}s`
    const of: Row = id === undefined ? { game_id } : { game_id, [`${String(entity)}_id`]: id }
    if (kind === "added") addItem(table, of, item as Row)
    if (kind === "removed") for (const name of entity === "product" ? ofProducts : [table]) drop(name, of)
    if (kind === "moved") movePrice(entry, of)
    if (kind !== "modified") return
    if (entity === "product" && String(field) in lists) putList(String(field), of, entry["new"])
    else put(table, { ...find(table, of), [String(field)]: entry["new"] })
  }
  return {
    apply,
    put,
    copy: () => makeReplica(tables),
    /** The rows of each table as sorted texts. */
    rows: () => Object.fromEntries(Array.from(tables, ([name, rows]) => [name, textsOf(rows)]))
  }
}

const textsOf = (rows: Rows): ReadonlyArray<string> =>
  Array.from(rows.values(), (own) => Array.from(own.values(), rowText))
    .flat()
    .toSorted()

export const rowText = (row: Row): string =>
  JSON.stringify(
    Object.entries(row)
      .filter(([, value]) => value !== null && value !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
  )
