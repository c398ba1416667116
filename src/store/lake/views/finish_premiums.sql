-- finish_premiums: How much more does another finish cost than Standard?
-- grain:  one row per (game_id, product_id, finish, source)
-- needs:  prices
-- absent: finishes without a price, and finishes that the product does not list, even if a source has a price
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: any but Standard
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   standard: market value of finish Standard
--   price: market value of this finish
--   premium: price minus standard
--   times: price divided by standard
create view finish_premiums as
with priced as (from source_prices where market_value > 0 and is_listed)
select f.game_id, f.product_id, p.name, f.finish, f.source, f.currency, s.market_value as standard, f.market_value as price,
  f.market_value - s.market_value as premium, round(try_cast(f.market_value / s.market_value as decimal(38, 10)), 2)::double as times
from priced f
join priced s on s.game_id = f.game_id and s.product_id = f.product_id and s.source = f.source and s.finish = 'Standard'
  and s.currency = f.currency
join products p on p.game_id = f.game_id and p.product_id = f.product_id
where f.finish <> 'Standard';
