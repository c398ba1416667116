-- The readings that movers compares: a game's last one, and the last one that is $days older (half a day of slack, as in movers), else its first.
-- reads: $game (null = each), $days, $since and $until (days, null = not chosen)
with span as (
  select game_id, min(seen_at) as first_at, max(seen_at) as last_at, max_by(snapshot, seen_at) as last_snapshot
  from readings where game_id = coalesce($game, game_id) and day <= coalesce($until::date, day)
  group by game_id
),
aged as (
  select s.game_id, r.snapshot, r.seen_at,
    if($since::date is null, (epoch(s.last_at) - epoch(r.seen_at)) / 86400 >= $days::integer - 0.5, r.day <= $since::date) as is_old
  from span s join readings r on r.game_id = s.game_id and r.seen_at < s.last_at
),
chosen as (
  select game_id, coalesce(arg_max(snapshot, seen_at) filter (is_old), arg_min(snapshot, seen_at)) as snapshot,
    coalesce(max(seen_at) filter (is_old), min(seen_at)) as seen_at, bool_or(is_old) as is_old
  from aged group by game_id
)
select g.game_id, s.first_at, s.last_at, s.last_snapshot, b.snapshot as before_snapshot, b.seen_at as before_at,
  round((epoch(s.last_at) - epoch(b.seen_at)) / 86400, 1) as days_between, coalesce(b.is_old, false) as is_old
from games g left join span s using (game_id) left join chosen b using (game_id)
where g.game_id = coalesce($game, g.game_id)
