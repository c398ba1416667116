-- readings: when each game was read to its end: its nights, and later nights that found nothing new. Every "ago" counts from the last one
-- grain:  one row per (game_id, seen_at, snapshot)
-- reads:  temporary table confirmed; variable readings_until
-- absent: nights without news that a wrong clock dates before their night, after the next one or in the future
-- columns:
--   game_id: the game's id
--   seen_at: UTC; for a night, when its reading was complete; for a later one that found nothing new, when it began
--   snapshot: what the feed matched then
--   day: of seen_at, in UTC whatever the session's time zone
--   dialect: the words that the feed was in then: spec, live or live-july
--   is_confirmation: whether the reading found nothing new; its snapshot is then that of the earlier reading
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
