-- The products of an expansion with their market values, each in its cheapest listed finish, as in a search.
-- reads: $game, $id; $named (the start of a word of the name, or the number; '' = any), $rarity ('' = any), $kind ('' = any), $least (the minimum
--   price: sourceEur's, else sourceUsd's; 0 = any)
with here as (from products where game_id = $game and expansion_id = $id::bigint),
priced as (
  select product_id, min(market_value) filter (source = 'sourceEur') as eur, min(market_value) filter (source = 'sourceUsd') as usd,
    arg_min(currency, market_value) filter (source = 'sourceEur') as eur_in, arg_min(currency, market_value) filter (source = 'sourceUsd') as usd_in
  from source_prices
  where game_id = $game and product_id in (select product_id from here) and market_value > 0 and is_listed
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
  -- print numbers in numeric order: 2 before 10
  try_cast(regexp_extract(h.print_number, '\d+') as bigint) as place
from here h
left join priced p using (product_id)
left join listed l using (product_id)
where ($named = '' or contains(' ' || search.folded(concat_ws(' ', h.name, h.variant)), ' ' || search.folded($named))
    or lower(h.print_number) = lower($named) or try_cast(regexp_extract(h.print_number, '\d+') as bigint) = try_cast($named as bigint))
  and ($rarity = '' or coalesce(h.rarity, 'none') = $rarity) and ($kind = '' or coalesce(h.product_category, h.product_type) = $kind)
  and ($least::decimal(18, 4) = 0 or coalesce(p.eur, p.usd) >= $least::decimal(18, 4))
