-- set_values_by_finish: What does one of every card of an expansion cost in one finish?
-- grain:  one row per (game_id, expansion_id, finish, source, currency)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   code: its code; null = none
--   name: its name
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the values and dearest
--   value: one of every card that lists the finish, all variants
--   dearest: the most expensive of them
--   priced: cards of the finish with a price above 0
--   cards: cards of the expansion that list the finish
--   percent_priced: priced in percent of cards
--   base_value: one of every card that lists the finish and is not a known variant; null = none is priced; equal to value if known_variants is 0
--   base_priced: base cards with a price above 0
--   base_cards: cards of the expansion that list the finish and are not a known variant
--   known_variants: cards that list the finish and that the feed marks as a variant; 0 = none: then the base columns add nothing
--   median_card: as in set_values, of the cards in this finish
--   percent_ten_dearest: share of the ten most expensive cards in value, in percent; 100 if at most ten are priced
create view set_values_by_finish as
with members as (
  select distinct p.game_id, p.expansion_id, p.product_id, f.finish, p.variant is null as is_base
  from products p join product_finishes f on f.game_id = p.game_id and f.product_id = p.product_id
  where p.product_type = 'card' and p.expansion_id is not null
),
priced as (
  select m.*, s.source, s.currency, s.market_value as price
  from members m
  join source_prices s on s.game_id = m.game_id and s.product_id = m.product_id and s.finish = m.finish
  where s.market_value > 0
),
counted as (
  select game_id, expansion_id, finish, count(*) as cards, count(*) filter (is_base) as base_cards from members group by all
)
select c.game_id, c.expansion_id, any_value(e.code) as code, any_value(e.name) as name, c.finish, c.source, c.currency,
  sum(c.price)::decimal(18, 4) as value, max(c.price) as dearest, count(*) as priced, any_value(k.cards) as cards,
  round(try_cast(100.0 * count(*) / any_value(k.cards) as decimal(38, 10)), 1)::double as percent_priced,
  (sum(c.price) filter (is_base))::decimal(18, 4) as base_value, count(*) filter (is_base) as base_priced,
  any_value(k.base_cards) as base_cards, any_value(k.cards - k.base_cards) as known_variants,
  median(c.price::decimal(20, 5))::decimal(18, 4) as median_card,
  round(try_cast(100.0 * list_sum(max(c.price, 10)) / sum(c.price) as decimal(38, 10)), 1)::double as percent_ten_dearest
from priced c
join counted k on k.game_id = c.game_id and k.expansion_id = c.expansion_id and k.finish = c.finish
left join expansions e on e.game_id = c.game_id and e.expansion_id = c.expansion_id
group by c.game_id, c.expansion_id, c.finish, c.source, c.currency;
