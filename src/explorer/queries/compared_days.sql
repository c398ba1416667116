-- Which readings movers compares: a game's last one, and the last that is so many days older (half a day of slack, as movers has).
-- reads: $game (null = each), $days
with span as (
  select game_id, min(seen_at) as first_at, max(seen_at) as last_at from readings where game_id = coalesce($game, game_id) group by game_id
)
select s.game_id, s.first_at, s.last_at, b.snapshot as before_snapshot, b.seen_at as before_at,
  round((epoch(s.last_at) - epoch(b.seen_at)) / 86400, 1) as days_between, floor((epoch(s.last_at) - epoch(s.first_at)) / 86400 + 0.5) as span_days
from span s
left join lateral (
  select arg_max(r.snapshot, r.seen_at) as snapshot, max(r.seen_at) as seen_at
  from readings r
  where r.game_id = s.game_id and (epoch(s.last_at) - epoch(r.seen_at)) / 86400 >= $days::integer - 0.5
) b on true
