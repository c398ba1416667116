-- The days with a reading of a game, or in the service's history of a product: the number of days from the first to the last, and the start of a span that ends on the last.
-- reads: $game, $id (null = readings alone), $days (null = all)
with days as (
  select day from readings where game_id = $game
  union
  select day from backfilled_prices where game_id = $game and product_id = $id::bigint
),
ends as (select min(day) as first_day, max(day) as last_day from days)
select last_day - first_day as extent, (last_day - $days::integer)::varchar as from_day,
  (select max(day) from days where day <= e.last_day - $days::integer)::varchar as read_from
from ends e;
