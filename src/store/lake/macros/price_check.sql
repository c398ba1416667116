-- price_check: Do the feed's percent changes agree with the prices of our readings?
-- grain:  one row per (game_id, product_id, finish, source, window_days)
-- takes:  tolerance: accepted difference in percentage points, default 1; slack_hours: accepted distance of the earlier reading from the exact time, default 12; with_history: true = use the marketplace's own history for a window without such a reading, default false
-- absent: windows without a reading within slack_hours, prices that are 0 or missing, prices of another product with the same id (reused_ids), and percent changes that are not in the feed
-- example: from price_check(tolerance := 0.1)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   window_days: 1, 7 or 30
--   old: market value at the earlier reading nearest to window_days before the last one
--   new: market value now
--   ours: percent from old to new
--   theirs: change_24h, change_7d or change_30d of the feed
--   agrees: true if ours and theirs differ by at most tolerance
--   seen_before: when the old price was read; start of the day if it is from the marketplace's history
--   old_origin: night = the old price was read by us; history = it is from the marketplace's history
create macro price_check(tolerance := 1, slack_hours := 12, with_history := false) as table
with last as (select game_id, max(seen_at) as seen_at, max(day) as day from readings group by game_id),
apart as (
  select r.game_id, r.snapshot, r.seen_at, w.window_days,
    abs(epoch(l.seen_at) - epoch(r.seen_at) - 86400 * w.window_days) as seconds
  from readings r join last l using (game_id) cross join (values (1), (7), (30)) w(window_days)
  where r.seen_at < l.seen_at
),
windows as (
  select game_id, window_days, arg_min(snapshot, seconds) as snapshot,
    arg_min(seen_at, seconds) as seen_at
  from apart
  where seconds / 3600 <= if(slack_hours >= 0, slack_hours, error('price_check: slack_hours must be 0 or more')::integer)
  group by game_id, window_days
),
earlier as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, w.window_days, w.seen_at as seen_before, h.origin
  from source_price_history h join windows w using (game_id, snapshot)
  where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, l.day - (h.seen_at at time zone 'UTC')::date,
    h.seen_at, h.origin
  from source_price_history h join last l using (game_id)
  anti join windows w on w.game_id = h.game_id and w.window_days = l.day - (h.seen_at at time zone 'UTC')::date
  where with_history and h.origin = 'history' and h.market_value > 0 and l.day - (h.seen_at at time zone 'UTC')::date in (1, 7, 30)
),
pairs as (
  select p.game_id, p.product_id, p.finish, p.source, h.window_days, h.market_value as old, p.market_value as new,
    case h.window_days when 1 then p.change_24h when 7 then p.change_7d else p.change_30d end as theirs, h.seen_before,
    h.origin as old_origin
  from source_prices p
  join earlier h on h.game_id = p.game_id and h.product_id = p.product_id and h.finish = p.finish and h.source = p.source
    and h.currency = p.currency
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  where p.market_value > 0
)
select game_id, product_id, finish, source, window_days, old, new, round(try_cast(100.0 * (new - old) / old as decimal(38, 10)), 2)::double as ours, theirs,
  abs(100.0 * (new - old) / old - theirs) <= if(tolerance >= 0, tolerance, error('price_check: tolerance must be 0 or more')::integer) as agrees,
  seen_before, old_origin
from pairs
where theirs is not null
order by game_id, product_id, finish, source, window_days;
