import { tableFile } from "../../../feed/schema/tableFile.ts"

const published = (name: string) => tableFile(new URL(`../published/${name}.sql`, import.meta.url))

export const priceMoves = published("price_moves")

/** Views over the Parquet of every night's changes. */
export const nightlyTables = [published("changes"), priceMoves, published("reconciliations")]

/** Returns the files of a night's changes that have a table's rows. */
export const nightlyFiles = (table: string): ReadonlyArray<string> =>
  table === "changes" ? ["catalogue_changes", "price_moves"] : [table]

/** Returns SQL of a table's rows; `read` returns SQL of the rows of one of its `nightlyFiles`. */
export const nightlyRows = (table: string, read: (file: string) => string): string =>
  table === "changes" ? changesAsText(read("catalogue_changes"), read("price_moves")) : read(table)

/** Decimals lose trailing zeros: 14.9900 becomes 14.99, 100.0000 becomes 100. */
const asText = (name: string, type: string) =>
  type.startsWith("decimal") ? `rtrim(rtrim(${name}::varchar, '0'), '.')` : `${name}::varchar`

/** The figures of a price, as structs of name, old text and new text. */
const figures = priceMoves.columns
  .filter(({ name }) => priceMoves.columns.some((one) => one.name === `old_${name}`))
  .map(({ name, type }) => `{name: '${name}', old: ${asText(`old_${name}`, type)}, new: ${asText(name, type)}}`)

/** Returns SQL of table `changes`, a row per field and figure. */
export const changesAsText = (catalogue: string, moves: string): string => `
  select game_id, from_snapshot, to_snapshot, entity, id, change, 'catalogue' as class, field, old, new from (${catalogue})
  union all
  select
    game_id, from_snapshot, to_snapshot, 'product', product_id, 'modified', 'price',
    concat_ws('.', 'prices', finish, if(finish is null, null, coalesce(source, 'marketplace')), region, condition, language, figure.name),
    figure.old, figure.new
  from (select *, unnest([${figures.join(", ")}]) as figure from (${moves}))
  where figure.old is distinct from figure.new`
