-- nights_at: Which reading of each game was the last at a given time?
-- grain:  one row per (game_id)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone)
-- example: from nights_at('2026-11-01')
-- columns:
--   game_id: the game's id
--   snapshot: the last reading before the time
--   seen_at: when it was complete, UTC
create macro nights_at(ts) as table
with asked as (
  select as_time(ts) as asked_at
)
select game_id, arg_max(snapshot, place) as snapshot, arg_max(seen_at, place) as seen_at
from nights cross join asked
where seen_at <= asked_at
group by game_id;
