-- prices_at: Which prices did the sources have at a given time? The prices of the last reading before that time
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone); with_history: true = use the marketplace's own history if it has a later day than that reading, within the week before ts, default false
-- example: from prices_at('2026-11-01 12:00')
-- columns:
--   *: as in source_price_history
create macro prices_at(ts, with_history := false) as table
with last as (
  select game_id, max(day) as day from readings where seen_at <= as_time(ts) group by game_id
),
-- not from source_price_history, which leaves out days that were read after the time
past as (
  select h.*, h.day::timestamp at time zone 'UTC' as seen_at
  from backfilled_prices h left join last l using (game_id)
  where with_history and seen_at <= as_time(ts) and epoch(as_time(ts)) - epoch(seen_at) < 8 * 86400 and (l.day is null or h.day > l.day)
  qualify h.day = max(h.day) over (partition by h.game_id, h.product_id, h.finish, h.source)
)
select p.* from source_price_history p join nights_at(ts) n using (game_id, snapshot)
anti join past l using (game_id, product_id, finish, source)
where p.origin = 'night'
union all by name
select * exclude (day), strftime(day, '%Y-%m') as month, null::varchar as snapshot, 'history' as origin from past;
