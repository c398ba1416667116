-- set_values: What is one of every card of an expansion worth, and how much of it is known?
-- grain:  one row per (game_id, expansion_id, source)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   code: its code; null = none
--   name: its name
--   source: sourceEur or sourceUsd
--   currency: of value and dearest
--   value: one of every card, each in its cheapest finish
--   dearest: the most expensive of them
--   priced: cards with a price above 0
--   cards: cards of the expansion in the catalogue
create view set_values as
with cheapest as (
  select p.game_id, p.expansion_id, p.product_id, s.source, s.currency, min(s.market_value) as price
  from products p join source_prices s on s.game_id = p.game_id and s.product_id = p.product_id
  where p.product_type = 'card' and p.expansion_id is not null and s.market_value > 0
  group by all
),
cards as (
  select game_id, expansion_id, count(*) as cards from products where product_type = 'card' and expansion_id is not null group by all
)
select c.game_id, c.expansion_id, any_value(e.code) as code, any_value(e.name) as name, c.source, c.currency,
  sum(c.price)::decimal(18, 4) as value, max(c.price) as dearest, count(*) as priced, any_value(k.cards) as cards
from cheapest c
join cards k on k.game_id = c.game_id and k.expansion_id = c.expansion_id
left join expansions e on e.game_id = c.game_id and e.expansion_id = c.expansion_id
group by c.game_id, c.expansion_id, c.source, c.currency;
