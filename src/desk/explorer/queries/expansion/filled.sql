-- Which columns of sets and cards have values anywhere in the game.
-- reads: $game
with said as (
  select count(variant) > 0 as variant, count(rarity) > 0 as rarity, count(print_number) > 0 as place from products where game_id = $game
),
sets as (select count(code) > 0 as code, count(release_date) > 0 as release_date from expansions where game_id = $game),
priced as (
  select count(*) filter (source = 'sourceEur') > 0 as eur, count(*) filter (source = 'sourceUsd') > 0 as usd
  from source_prices where game_id = $game and market_value > 0
),
listed as (select count(*) > 0 as listings from marketplace_prices where game_id = $game and listing_count > 0)
from said cross join sets cross join priced cross join listed
