-- condition_ladder: How much less does a worn copy cost than a near mint one?
-- grain:  one row per (game_id, product_id, finish, place, condition)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   place: sourceEur, sourceUsd, or the marketplace's region: eu, na
--   condition: LP, MP, HP, DMG
--   near_mint: lowest price in condition NM
--   low: lowest price in this condition
--   percent: low in percent of near_mint; null = near_mint is 0
--   listing_count: listings in this condition; null = not given
create view condition_ladder as
with buckets as (
  select game_id, product_id, finish, source as place, condition, low, listing_count from source_price_conditions where language is null
  union all
  select game_id, product_id, finish, region, condition, low, listing_count from marketplace_price_conditions where language is null
)
select b.game_id, b.product_id, b.finish, b.place, b.condition, n.low as near_mint, b.low,
  round(try_cast(100.0 * b.low / nullif(n.low, 0) as decimal(38, 10)), 2)::double as percent, b.listing_count
from buckets b
join buckets n on n.game_id = b.game_id and n.product_id = b.product_id and n.finish = b.finish and n.place = b.place
  and n.condition = 'NM'
where b.condition <> 'NM' and b.low is not null and n.low is not null;
