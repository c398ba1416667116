-- The expansions of a game with the value of one of every card, and the share of products that have a price.
-- reads: memory.expansion_figures; $game, $stage (all, or one of: released, coming = after the day of the last reading, bare = without products)
with staged as (
  select e.expansion_id, e.name, e.code, e.release_date, coalesce(f.products, 0) as products, f.eur, f.eur_in, f.usd, f.usd_in,
    f.eur_covered, f.usd_covered, f.listed,
    case when e.release_date::date > (select max(day) from readings where game_id = $game) then 'coming' when coalesce(f.products, 0) = 0 then 'bare' else 'released' end as stage
  from expansions e
  left join memory.main.expansion_figures f using (game_id, expansion_id)
  where e.game_id = $game
)
from staged where $stage = 'all' or stage = $stage
