/** The keys of an object that are of prices, or those that are not; null where there are none. */
const keysOf = (object: string, prices: boolean): string =>
  `nullif(to_json(map_from_entries(list_filter(
    map_entries(from_json(${object}, '"MAP(VARCHAR, JSON)"')),
    lambda entry: (entry.key in ('prices', 'pricesByFinish')) = ${prices}
  )))::varchar, '{}')::json`

/** Columns that version 2 of the contract brought, with their type: older files are read as null. */
const broughtByTwo: Readonly<Record<string, string>> = {
  source_prices: "select null::json as extra where false",
  marketplace_prices: "select null::json as extra where false"
}

/** Rows of before version 2 as they are now: prices that nobody knew stood in a product's `extra`. */
const sinceTwo: Readonly<Record<string, string>> = {
  products: `select * replace (${keysOf("extra", false)} as extra), ${keysOf("extra", true)} as price_extra`
}

/**
 * SQL of a table's rows from files of several versions of the contract, in the columns that the table has now. `rows` reads files of one
 * version; a version that is null is not known, and its files are read one by one.
 */
export const grownRows = <File>(
  table: string,
  files: ReadonlyArray<File>,
  versionOf: (file: File) => number | null,
  rows: (files: ReadonlyArray<File>) => string
): ReadonlyArray<string> => {
  const groups = [...Map.groupBy(files, (file) => versionOf(file) ?? file)]
  const selects = groups.map(([version, of]) => {
    const columns = sinceTwo[table]
    return columns === undefined || version !== 1 ? rows(of) : `${columns} from (${rows(of)})`
  })
  const column = broughtByTwo[table]
  const isThere = groups.some(([version]) => typeof version === "number" && version > 1)
  return column === undefined || isThere || groups.length === 0 ? selects : [...selects, column]
}
