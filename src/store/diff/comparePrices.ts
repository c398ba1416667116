import { keyColumns, type TableFile } from "../../feed/schema/tableFile.ts"
import { priceMoves, tablesOfPrices } from "../lake/history/nightlyTables.ts"
import { noRows } from "../lake/snapshot/snapshotRows.ts"

/** Returns SQL of the rows of a price table that differ in a figure, old and new side by side. */
const movesIn = (table: TableFile, figures: ReadonlyArray<string>): string => {
  const keys = keyColumns(table)
  const select = [
    ...keys.map((key) => `coalesce(b.${key}, a.${key}) as ${key}`),
    ...figures.flatMap((figure) => [`b.${figure} as old_${figure}`, `a.${figure}`])
  ]
  // A header says what null means where a column can be null.
  const nullable = new Set(table.columns.flatMap(({ comment, name }) => (comment.includes("null = ") ? [name] : [])))
  const isSame = (key: string) => `a.${key} ${nullable.has(key) ? "is not distinct from" : "="} b.${key}`
  return `select ${select.join(", ")}
    from before.${table.name} b full join after.${table.name} a on ${keys.map(isSame).join(" and ")}
    where (${figures.map((figure) => `b.${figure} is distinct from a.${figure}`).join(" or ")})
      and coalesce(b.product_id, a.product_id) not in (from gone_or_new)`
}

/**
 * Returns SQL that creates view `price_moves`, the price rows that differ between two snapshots, for products in both,
 * table by table, because one statement would hold the rows of all tables in memory;
 * its columns are those of {@link priceMoves}. Reads schemas `before` and `after`, table
 * `touched_products`, and variables `game_id`, `from_snapshot`, `to_snapshot`. `figuresIn` returns the figures of a
 * table that both snapshots have; with `comparesExtra` a product's unknown price blocks are compared, too.
 */
export const comparePrices = (figuresIn: (table: string) => ReadonlyArray<string>, comparesExtra: boolean): string => {
  const moves = tablesOfPrices.flatMap((table) => {
    const figures = figuresIn(table.name)
    return figures.length === 0 ? [] : [movesIn(table, figures)]
  })
  const blocks = `select product_id, b.price_extra as old_extra, a.price_extra as extra
    from (select product_id, price_extra from before.products where price_extra is not null) b
    full join (select product_id, price_extra from after.products where price_extra is not null) a using (product_id)
    where b.price_extra is distinct from a.price_extra and product_id not in (from gone_or_new)`
  const ids = ["game_id", "from_snapshot", "to_snapshot"]
  const columns = priceMoves.columns.filter(({ name }) => !ids.includes(name))
  return `create or replace temp table gone_or_new as select id as product_id from touched_products where change <> 'modified';
    create or replace temp table moved_prices as ${noRows(columns)};
    ${[...moves, ...(comparesExtra ? [blocks] : [])].map((move) => `insert into moved_prices by name ${move};`).join("\n")}
    create temp view price_moves as
    select ${ids.map((id) => `getvariable('${id}') as ${id}`).join(", ")}, * from moved_prices`
}
