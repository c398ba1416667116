-- The products of an expansion with their market values, each in its cheapest finish.
-- reads: $game, $id
with here as (from products where game_id = $game and expansion_id = $id::bigint),
priced as (
  select product_id, min(market_value) filter (source = 'sourceEur') as eur, min(market_value) filter (source = 'sourceUsd') as usd,
    arg_min(currency, market_value) filter (source = 'sourceEur') as eur_in, arg_min(currency, market_value) filter (source = 'sourceUsd') as usd_in
  from source_prices
  where game_id = $game and product_id in (select product_id from here) and market_value > 0
  group by product_id
),
listed as (
  select product_id, sum(listing_count)::bigint as listings
  from marketplace_prices
  where game_id = $game and product_id in (select product_id from here) and region is null
  group by product_id
)
select h.game_id, h.product_id, h.name, h.print_number, h.variant, h.rarity, coalesce(h.product_category, h.product_type) as kind,
  p.eur, p.eur_in, p.usd, p.usd_in, coalesce(l.listings, 0) as listings,
  -- print numbers as people count them: 2 before 10
  try_cast(regexp_extract(h.print_number, '\d+') as bigint) as place
from here h
left join priced p using (product_id)
left join listed l using (product_id)
