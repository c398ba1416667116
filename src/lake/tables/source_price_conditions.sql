-- source_price_conditions: depth of a price source by condition and language
-- grain:  one row per (game_id, product_id, finish, source, condition, language)
-- reads:  finish_prices
-- checks: (game_id, product_id, finish, source, condition, language) is unique; low >= 0; listing_count >= 0; available_quantity >= 0
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   finish varchar: such as Standard or Foil; sealed products sit under Standard
--   source varchar: sourceEur or sourceUsd
--   condition varchar: NM, LP, MP, HP, DMG
--   language varchar: language code; null = all languages together
--   low decimal(18, 4): lowest price, in the source's currency, major unit; null = not given
--   listing_count bigint: listings; null = not given
--   available_quantity bigint: units; null = not given
--   is_listed: whether the product lists the finish; the lake says it, the Parquet does not
create view source_price_conditions as
with blocks as (
  select product_id, finish, 'sourceEur' as source, blocks."sourceEur"."byCondition" as buckets
  from finish_prices where cardinality(blocks."sourceEur"."byCondition") > 0
  union all
  select product_id, finish, 'sourceUsd', blocks."sourceUsd"."byCondition"
  from finish_prices where cardinality(blocks."sourceUsd"."byCondition") > 0
),
conditions as (
  select product_id, finish, source, unnest(map_keys(buckets)) as condition, unnest(map_values(buckets)) as bucket from blocks
),
languages as (
  select product_id, finish, source, condition,
    unnest(map_keys(bucket."byLanguage")) as language, unnest(map_values(bucket."byLanguage")) as bucket
  from conditions where cardinality(bucket."byLanguage") > 0
)
select getvariable('game_id') as game_id, * from (
  select product_id, finish, source, condition, null::varchar as language, bucket.low::decimal(18, 4) as low,
    bucket."listingCount" as listing_count, bucket."availableQuantity" as available_quantity
  from conditions
  where bucket is not null
  union all
  select product_id, finish, source, condition, language, bucket.low::decimal(18, 4),
    bucket."listingCount", bucket."availableQuantity"
  from languages
)
order by product_id, finish, source, condition, language nulls first;
