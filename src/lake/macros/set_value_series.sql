-- set_value_series: How did the value of a whole expansion go?
-- grain:  one row per (game_id, source, day)
-- takes:  expansion: its id; source_name: sourceEur or sourceUsd, null = both
-- example: from set_value_series(81)
-- columns:
--   game_id: the game's id
--   day: of UTC; its last reading counts, also one that found nothing new
--   source: sourceEur or sourceUsd
--   currency: of the value
--   value: one of every card, each in its cheapest finish
--   cards: cards with a price that day
create macro set_value_series(expansion, source_name := null) as table
with of_day as (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot from readings group by game_id, day
),
cards as (select game_id, product_id from products where expansion_id = expansion and product_type = 'card'),
cheapest as (
  select h.game_id, d.day, h.source, h.currency, h.product_id, min(h.market_value) as price
  from source_price_history h
  join cards using (game_id, product_id)
  join of_day d on d.game_id = h.game_id and d.snapshot = h.snapshot
  where h.market_value > 0 and h.source = coalesce(source_name, h.source)
  group by all
)
select game_id, day, source, currency, sum(price)::decimal(18, 4) as value, count(*) as cards
from cheapest
group by game_id, day, source, currency
order by game_id, source, day;
