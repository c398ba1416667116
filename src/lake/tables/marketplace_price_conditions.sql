-- marketplace_price_conditions: depth of the live listings by region, condition and language
-- grain:  one row per (game_id, product_id, finish, region, condition, language)
-- reads:  finish_prices
-- checks: (game_id, product_id, finish, region, condition, language) is unique; low >= 0; listing_count >= 0; available_quantity >= 0
-- absent: graded listings count in marketplace_prices but sit in no condition
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   finish varchar: such as Standard or Foil; sealed products sit under Standard
--   region varchar: eu or na
--   condition varchar: NM, LP, MP, HP, DMG
--   language varchar: language code; null = all languages together
--   low decimal(18, 4): lowest price, in the region's currency, major unit
--   listing_count bigint: live listings
--   available_quantity bigint: units for sale
--   is_listed: whether the product lists the finish; the lake says it, the Parquet does not
create view marketplace_price_conditions as
with regions as (
  select product_id, finish,
    unnest(map_keys(blocks.marketplace.regions)) as region,
    unnest(list_transform(map_values(blocks.marketplace.regions), lambda r: r."byCondition")) as buckets
  from finish_prices
  where cardinality(blocks.marketplace.regions) > 0
),
conditions as (
  select product_id, finish, region, unnest(map_keys(buckets)) as condition, unnest(map_values(buckets)) as bucket
  from regions where cardinality(buckets) > 0
),
languages as (
  select product_id, finish, region, condition,
    unnest(map_keys(bucket."byLanguage")) as language, unnest(map_values(bucket."byLanguage")) as bucket
  from conditions where cardinality(bucket."byLanguage") > 0
)
select getvariable('game_id') as game_id, * from (
  select product_id, finish, region, condition, null::varchar as language, bucket.low::decimal(18, 4) as low,
    bucket."listingCount" as listing_count, bucket."availableQuantity" as available_quantity
  from conditions
  where bucket is not null
  union all
  select product_id, finish, region, condition, language, bucket.low::decimal(18, 4),
    bucket."listingCount", bucket."availableQuantity"
  from languages
)
order by product_id, finish, region, condition, language nulls first;
