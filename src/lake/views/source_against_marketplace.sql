-- source_against_marketplace: Where does the marketplace sell below or above what the price source says?
-- grain:  one row per (game_id, product_id, finish, region)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: such as Standard or Foil
--   region: eu, held against sourceEur, or na, held against sourceUsd: both sides are in the same currency
--   currency: EUR in eu, USD in na
--   marketplace_low: lowest live listing
--   market_value: the source's market value
--   difference: marketplace_low less market_value
--   percent: difference in percent of market_value; null = market_value is 0
--   listing_count: live listings
create view source_against_marketplace as
select m.game_id, m.product_id, p.name, m.finish, m.region, m.currency, m.low as marketplace_low, s.market_value,
  m.low - s.market_value as difference, round(100.0 * (m.low - s.market_value) / nullif(s.market_value, 0), 2) as percent, m.listing_count
from marketplace_prices m
join source_prices s on s.game_id = m.game_id and s.product_id = m.product_id and s.finish = m.finish and s.currency = m.currency
  and s.source = case m.region when 'eu' then 'sourceEur' when 'na' then 'sourceUsd' end
join products p on p.game_id = m.game_id and p.product_id = m.product_id
where s.market_value is not null;
