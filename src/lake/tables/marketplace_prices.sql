-- marketplace_prices: the marketplace's own live listings of one finish of a product, by region, as of the reading
-- grain:  one row per (game_id, product_id, finish, region)
-- reads:  finish_prices
-- checks: (game_id, product_id, finish, region) is unique; low >= 0; listing_count >= 0; available_quantity >= 0
-- absent: no row = no live listing in stock
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   finish varchar: such as Standard or Foil; sealed products sit under Standard
--   region varchar: eu or na; null = all regions, where low is the cheapest anywhere, converted to EUR by the marketplace
--   currency varchar: of low: EUR in eu, USD in na
--   low decimal(18, 4): lowest price, major unit
--   listing_count bigint: live listings
--   available_quantity bigint: units for sale
--   extra json since 2: JSON object of the block's, or the region's, keys that the contract does not know; null = none
--   is_listed: whether the product lists the finish; the lake says it, the Parquet does not
create view marketplace_prices as
with regions as (
  select product_id, finish,
    unnest(map_keys(blocks.marketplace.regions)) as region, unnest(map_values(blocks.marketplace.regions)) as block
  from finish_prices
  where cardinality(blocks.marketplace.regions) > 0
)
select getvariable('game_id') as game_id, * from (
  select product_id, finish, null::varchar as region, blocks.marketplace.low.currency as currency,
    blocks.marketplace.low.amount::decimal(18, 4) as low, blocks.marketplace."listingCount" as listing_count,
    blocks.marketplace."availableQuantity" as available_quantity, blocks.marketplace.extra as extra
  from finish_prices
  where blocks.marketplace is not null
  union all
  select product_id, finish, region, block.currency, block.low::decimal(18, 4), block."listingCount",
    block."availableQuantity", block.extra
  from regions
)
order by product_id, finish, region nulls first;
