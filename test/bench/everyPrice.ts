import { movedBy, type NightPrices, parquetRows } from "./NightPrices.ts"

/** A number below 1000 that a product, a finish and a source or region have in one night; each salt has its own. */
const drawn = (place: string, night: number, salt: number) =>
  `(hash(product_id, finish, ${place}, ${night}, ${salt}) % 1000)::integer`

/** What is in the catalogue that night: who left it has no prices. */
const inCatalogue = (folder: string) => `semi join ${parquetRows(folder, "products")} using (product_id)`

/** Seven of ten prices are listings as well: Europe's of `sourceEur`, up to a fifth away from what the source says. */
const listings = (night: number, folder: string) => `
  select game_id, product_id, finish, if(source = 'sourceEur', 'eu', 'na') as region, currency,
    round(market_value * (800 + 0.4 * ${drawn("source", night, 1)}) / 1000, 2)::decimal(18, 4) as low,
    (1 + ${drawn("source", night, 2)} % 8)::bigint as listing_count
  from night ${inCatalogue(folder)}
  where ${drawn("source", 0, 3)} < 700 and market_value > 0`

const inAllRegions = (night: number, folder: string) => `
  with listings as (${listings(night, folder)})
  select *, 2 * listing_count as available_quantity, null::json as extra from listings
  union all
  select game_id, product_id, finish, null, 'EUR', min(if(region = 'eu', low, round(low / 1.1, 2)::decimal(18, 4))),
    sum(listing_count)::bigint, 2 * sum(listing_count)::bigint, null
  from listings group by all
  order by product_id, finish, region`

/** Of every tenth product; English copies are one fewer than all. */
const byCondition = (night: number, folder: string) => `
  with listings as (${listings(night, folder)})
  select game_id, product_id, finish, region, condition, language, round(low * worth, 2)::decimal(18, 4) as low,
    n as listing_count, 2 * n as available_quantity
  from (select *, listing_count - if(language = 'en', 1, 0) as n from listings
    cross join (values ('NM', 1), ('LP', 0.8)) as conditions(condition, worth)
    cross join (values ('en'), (null)) as languages(language))
  where product_id % 10 = 0 and n > 0
    and product_id in (select product_id from ${parquetRows(folder, "products")} where product_type = 'card')
  order by all`

/**
 * All prices of a snapshot, and Foils that no product lists. In a night 30 % of them move by up to a tenth and a few by
 * far, one in a hundred is 0 and one in fifty is missing. What is listed follows the prices.
 */
export const everyPrice: NightPrices = {
  begin: (seedFolder) =>
    `create or replace table night as from ${parquetRows(seedFolder, "source_prices")}
     union all by name
     select * replace ('Foil' as finish, 2 * market_value as market_value) from ${parquetRows(seedFolder, "source_prices")}
     where product_id % 50 = 2 and finish = 'Standard'`,
  next: (night) => {
    const far = drawn("source", night, 4)
    const factor = `(900 + 0.2 * ${drawn("source", night, 5)}) / 1000`
    return movedBy(
      `${drawn("source", night, 6)} < 300`,
      `case when ${far} = 0 then 3 when ${far} = 1 then 0.35 else ${factor} end`
    )
  },
  tables: (night, catalogueFolder) => ({
    source_prices: `select * replace (if(${drawn("source", night, 7)} < 10, 0, market_value)::decimal(18, 4) as market_value)
      from night ${inCatalogue(catalogueFolder)} where ${drawn("source", night, 8)} >= 20 order by product_id, finish, source`,
    marketplace_prices: inAllRegions(night, catalogueFolder),
    marketplace_price_conditions: byCondition(night, catalogueFolder)
  })
}
