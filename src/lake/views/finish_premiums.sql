-- finish_premiums: What does another finish cost over Standard?
-- grain:  one row per (game_id, product_id, finish, source)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: any but Standard
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   standard: market value of finish Standard
--   price: market value of this finish
--   premium: price less standard
--   times: price as a multiple of standard; null = standard is 0
create view finish_premiums as
select f.game_id, f.product_id, p.name, f.finish, f.source, f.currency, s.market_value as standard, f.market_value as price,
  f.market_value - s.market_value as premium, round(f.market_value / nullif(s.market_value, 0), 2) as times
from source_prices f
join source_prices s on s.game_id = f.game_id and s.product_id = f.product_id and s.source = f.source and s.finish = 'Standard'
  and s.currency = f.currency
join products p on p.game_id = f.game_id and p.product_id = f.product_id
where f.finish <> 'Standard' and f.market_value is not null and s.market_value is not null;
