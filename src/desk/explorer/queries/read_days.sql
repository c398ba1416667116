-- The days on which a game was read, or that the service's own history of a product has: how many days lie between the first and the last, and where a span of days before the last one begins.
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
