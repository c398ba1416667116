-- The value of one of every card of each expansion, and the share of products that have a price: computed once for each lake file, because one
-- game takes as long as all.
create or replace table memory.main.expansion_figures as
with worth as (
  select game_id, expansion_id, any_value(value) filter (source = 'sourceEur') as eur, any_value(value) filter (source = 'sourceUsd') as usd,
    any_value(currency) filter (source = 'sourceEur') as eur_in, any_value(currency) filter (source = 'sourceUsd') as usd_in
  from set_values group by game_id, expansion_id
),
covered as (
  select game_id, expansion_id, any_value(products) as products, any_value(percent) filter (source = 'sourceEur') as eur_covered,
    any_value(percent) filter (source = 'sourceUsd') as usd_covered, any_value(percent) filter (source = 'marketplace') as listed
  from price_coverage group by game_id, expansion_id
)
from covered left join worth using (game_id, expansion_id)
