-- The expansions of a game with the value of one of every card, and the share of products that have a price.
-- reads: $game, $stage (all, or one of: released, coming = after the day of the last reading, bare = without products)
with worth as (
  select expansion_id, any_value(value) filter (source = 'sourceEur') as eur, any_value(value) filter (source = 'sourceUsd') as usd,
    any_value(currency) filter (source = 'sourceEur') as eur_in, any_value(currency) filter (source = 'sourceUsd') as usd_in
  from set_values where game_id = $game group by expansion_id
),
covered as (
  select expansion_id, any_value(products) as products, any_value(percent) filter (source = 'sourceEur') as eur_covered,
    any_value(percent) filter (source = 'sourceUsd') as usd_covered, any_value(percent) filter (source = 'marketplace') as listed
  from price_coverage where game_id = $game group by expansion_id
),
told as (
  select e.expansion_id, e.name, e.code, e.release_date, coalesce(c.products, 0) as products, w.eur, w.eur_in, w.usd, w.usd_in,
    c.eur_covered, c.usd_covered, c.listed,
    case when e.release_date::date > (select max(day) from readings where game_id = $game) then 'coming' when coalesce(c.products, 0) = 0 then 'bare' else 'released' end as stage
  from expansions e
  left join worth w using (expansion_id)
  left join covered c using (expansion_id)
  where e.game_id = $game
)
from told where $stage = 'all' or stage = $stage
