-- set_values_by_rarity: What does one of every card of an expansion cost by rarity, and what share of its value does each rarity have?
-- grain:  one row per (game_id, expansion_id, rarity, source, currency)
-- absent: rarities without a priced card
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   code: its code; null = none
--   name: its name
--   rarity: as in the feed; null = the feed gives none
--   source: sourceEur or sourceUsd
--   currency: of value, median_card and dearest
--   value: one of every card of the rarity, all variants, each in its cheapest finish that it lists
--   percent_of_expansion: value in percent of the expansion's (set_values)
--   median_card: median market value; of an even number, the mean of the two in the middle, rounded half up to four places
--   dearest: the most expensive of them
--   priced: cards of the rarity with a price above 0
--   cards: cards of the rarity in the catalogue
--   percent_priced: priced in percent of cards
create view set_values_by_rarity as
with members as (
  select game_id, expansion_id, product_id, rarity from products where product_type = 'card' and expansion_id is not null
),
cheapest as (
  select m.game_id, m.expansion_id, m.rarity, m.product_id, s.source, s.currency, min(s.market_value) as price
  from members m join source_prices s on s.game_id = m.game_id and s.product_id = m.product_id
  where s.market_value > 0 and s.is_listed
  group by all
),
counted as (select game_id, expansion_id, rarity, count(*) as cards from members group by all)
select c.game_id, c.expansion_id, any_value(e.code) as code, any_value(e.name) as name, c.rarity, c.source, c.currency,
  sum(c.price)::decimal(18, 4) as value,
  round(try_cast(100.0 * sum(c.price) / sum(sum(c.price)) over (partition by c.game_id, c.expansion_id, c.source, c.currency) as decimal(38, 10)), 1)::double as percent_of_expansion,
  median(c.price::decimal(20, 5))::decimal(18, 4) as median_card, max(c.price) as dearest, count(*) as priced, any_value(k.cards) as cards,
  round(try_cast(100.0 * count(*) / any_value(k.cards) as decimal(38, 10)), 1)::double as percent_priced
from cheapest c
join counted k on k.game_id = c.game_id and k.expansion_id = c.expansion_id and k.rarity is not distinct from c.rarity
left join expansions e on e.game_id = c.game_id and e.expansion_id = c.expansion_id
group by c.game_id, c.expansion_id, c.rarity, c.source, c.currency;
