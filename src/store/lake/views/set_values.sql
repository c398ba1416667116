-- set_values: What does one of every card of an expansion cost, and what share of it has a price?
-- grain:  one row per (game_id, expansion_id, source, currency)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   code: its code; null = none
--   name: its name
--   source: sourceEur or sourceUsd
--   currency: of the values and dearest
--   value: one of every card, all variants, each in its cheapest finish that it lists
--   dearest: the most expensive of them
--   priced: cards with a price above 0
--   cards: cards of the expansion in the catalogue
--   percent_priced: priced in percent of cards
--   base_value: one of every card that is not a known variant, each in its cheapest finish; null = none is priced; equal to value if known_variants is 0
--   base_priced: base cards with a price above 0
--   base_cards: cards of the expansion that are not a known variant
--   known_variants: cards that the feed marks as a variant; 0 = none, as in many games: then the base columns add nothing
--   median_card: median market value; of an even number, the mean of the two in the middle, rounded half up to four places
--   percent_ten_dearest: share of the ten most expensive cards in value, in percent; 100 if at most ten are priced
create view set_values as
with members as (
  select game_id, expansion_id, product_id, variant is null as is_base
  from products where product_type = 'card' and expansion_id is not null
),
cheapest as (
  select m.game_id, m.expansion_id, m.product_id, m.is_base, s.source, s.currency, min(s.market_value) as price
  from members m join source_prices s on s.game_id = m.game_id and s.product_id = m.product_id
  where s.market_value > 0 and s.is_listed
  group by all
),
counted as (
  select game_id, expansion_id, count(*) as cards, count(*) filter (is_base) as base_cards from members group by all
)
select c.game_id, c.expansion_id, any_value(e.code) as code, any_value(e.name) as name, c.source, c.currency,
  sum(c.price)::decimal(18, 4) as value, max(c.price) as dearest, count(*) as priced, any_value(k.cards) as cards,
  round(try_cast(100.0 * count(*) / any_value(k.cards) as decimal(38, 10)), 1)::double as percent_priced,
  (sum(c.price) filter (is_base))::decimal(18, 4) as base_value, count(*) filter (is_base) as base_priced,
  any_value(k.base_cards) as base_cards, any_value(k.cards - k.base_cards) as known_variants,
  median(c.price::decimal(20, 5))::decimal(18, 4) as median_card,
  round(try_cast(100.0 * list_sum(max(c.price, 10)) / sum(c.price) as decimal(38, 10)), 1)::double as percent_ten_dearest
from cheapest c
join counted k on k.game_id = c.game_id and k.expansion_id = c.expansion_id
left join expansions e on e.game_id = c.game_id and e.expansion_id = c.expansion_id
group by c.game_id, c.expansion_id, c.source, c.currency;
