-- price_extremes: What is at its highest or lowest price of all nights, and how far is everything from it?
-- grain:  one row per (game_id, product_id, finish, source)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   high: highest market value of all nights
--   high_at: when it was first read
--   low: lowest market value of all nights above 0
--   low_at: when it was first read
--   price: market value now; null = none
--   percent_of_high: price in percent of high
--   nights: nights with a price
create view price_extremes as
with ever as (
  select game_id, product_id, finish, source, currency, max(market_value) as high, arg_max(seen_at, (market_value, -epoch(seen_at))) as high_at,
    min(market_value) as low, arg_min(seen_at, (market_value, epoch(seen_at))) as low_at, count(*) as nights
  from source_price_history
  where market_value > 0
  group by all
)
select e.game_id, e.product_id, e.finish, e.source, e.currency, e.high, e.high_at, e.low, e.low_at, p.market_value as price,
  round(100.0 * p.market_value / e.high, 2) as percent_of_high, e.nights
from ever e
left join source_prices p using (game_id, product_id, finish, source);
