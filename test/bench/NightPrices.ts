import { sqlText } from "../../src/store/lake/duckdb/Lake.ts"

/** How prices of made-up nights come about, as SQL: table `night` has those of the night at hand. */
export interface NightPrices {
  /** Makes `night` from the files of a snapshot. */
  readonly begin: (seedFolder: string) => string
  /** Replaces `night` by the one that follows. */
  readonly next: (night: number) => string
  /** The rows of each table that a night has for itself; all others are as its catalogue has them. */
  readonly tables: (night: number, catalogueFolder: string) => Readonly<Record<string, string>>
}

export const parquetRows = (folder: string, table: string): string =>
  `read_parquet(${sqlText(`${folder}/${table}.parquet`)}, hive_partitioning = false)`

/** Rows of `night` that move by a factor, and their changes with them. */
export const movedBy = (moves: string, factor: string): string =>
  `create or replace table next as
   select * exclude (moves, factor) replace (
     if(moves, round(low * factor, 2)::decimal(18, 4), low) as low,
     if(moves, round(mid * factor, 2)::decimal(18, 4), mid) as mid,
     if(moves, round(market_value * factor, 2)::decimal(18, 4), market_value) as market_value,
     if(moves, round(100 * (factor - 1), 2), 0)::decimal(12, 4) as change_24h
   )
   from (select *, ${moves} as moves, ${factor} as factor from night);
   drop table night; alter table next rename to night`

/** The prices of one finish of each product, of which 30 % move a night by up to a tenth; and no listings. */
export const oneFinish: NightPrices = {
  begin: (seedFolder) =>
    `select setseed(0.5);
     create or replace table night as select distinct on (product_id, source) * from ${parquetRows(seedFolder, "source_prices")}
     order by product_id, source, finish`,
  next: () => movedBy("random() < 0.3", "0.9 + random() * 0.2"),
  tables: (_, catalogueFolder) => ({
    source_prices: "from night order by product_id, finish, source",
    marketplace_prices: `from ${parquetRows(catalogueFolder, "marketplace_prices")} limit 0`
  })
}
