-- readings: complete readings of each game: its nights, and later readings that found no change. Every "ago" counts from the last one
-- grain:  one row per (game_id, seen_at, snapshot)
-- reads:  temporary table confirmed; variable readings_until
-- absent: readings without changes that a wrong clock dates before their night, after the next one or in the future
-- columns:
--   game_id: the game's id
--   seen_at: UTC; when the reading was complete; for a later reading that found no change, when it began
--   snapshot: the snapshot that the feed matched then
--   day: UTC day of seen_at, independent of the session's time zone
--   dialect: dialect of the feed then (its field names): spec, live or live-july
--   is_confirmation: true if the reading found no change; then snapshot is that of the earlier reading
create or replace table readings as
with spans as (
  select game_id, snapshot, seen_at, lead(seen_at) over (partition by game_id order by place) as next_at from nights
)
select game_id, seen_at, snapshot, day, dialect, false as is_confirmation from nights
union all
select distinct c.game_id, c.seen_at, c.snapshot, c.seen_at::date, coalesce(c.dialect, 'spec'), true
from confirmed c join spans s using (game_id, snapshot)
where c.seen_at > s.seen_at and c.seen_at < coalesce(s.next_at, getvariable('readings_until')::timestamptz)
order by game_id, seen_at;
