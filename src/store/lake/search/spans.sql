-- spans: between which readings of each game a search says that a price moved: from the last one at least seven days before the last one, to the last one
-- grain:  one row per (game_id)
-- reads:  readings
-- columns:
--   seen_at: the last reading
--   snapshot_before: what was read then; null = no reading is so old
--   seen_before: when that was read last
create or replace table search.spans as
with last as (
  select game_id, max(seen_at) as seen_at from readings group by game_id
)
select l.game_id, l.seen_at, b.snapshot as snapshot_before, b.seen_at as seen_before
from last l
left join (
  select r.game_id, arg_max(r.snapshot, r.seen_at) as snapshot, max(r.seen_at) as seen_at
  from readings r join last l using (game_id)
  -- Allows half a day of slack, as in movers.
  where (epoch(l.seen_at) - epoch(r.seen_at)) / 86400 >= 6.5
  group by r.game_id
) b using (game_id);
