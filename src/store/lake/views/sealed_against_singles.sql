-- sealed_against_singles: How does a sealed product's price compare with one of every card of its expansion? That is no estimate of what is in it: not in the feed which cards, or how many, a sealed product contains
-- grain:  one row per (game_id, product_id, source)
-- columns:
--   game_id: the game's id
--   product_id: the sealed product
--   name: its name
--   product_category: such as booster_box
--   expansion_id: its expansion
--   source: sourceEur or sourceUsd
--   currency: of price and set_value
--   price: market value of the sealed product
--   set_value: price of one of every priced card of the expansion, each in its cheapest finish; not of the cards in the product
--   percent: price in percent of set_value; a few percent for a large expansion, and no estimate of the value of the contents
create view sealed_against_singles as
select p.game_id, p.product_id, p.name, p.product_category, p.expansion_id, s.source, s.currency, s.market_value as price,
  v.value as set_value, round(try_cast(100.0 * s.market_value / v.value as decimal(38, 10)), 2)::double as percent
from products p
join source_prices s on s.game_id = p.game_id and s.product_id = p.product_id
join set_values v on v.game_id = p.game_id and v.expansion_id = p.expansion_id and v.source = s.source and v.currency = s.currency
where p.product_type = 'sealed' and s.market_value > 0;
