-- The readings that a game's last one is compared with: the last ones at least 7 and 30 days older (half a day of slack, as in movers), else the first; none if there is only one reading.
-- reads: $game
with last as (
  select max(seen_at) as last_at, min(seen_at) as first_at from readings where game_id = $game
),
before as (
  select s.days, max(r.seen_at) as seen_at
  from (values (7), (30)) s(days)
  cross join last l
  join readings r on r.game_id = $game and (epoch(l.last_at) - epoch(r.seen_at)) / 86400 >= s.days - 0.5
  group by s.days
),
chosen as (
  select distinct coalesce(b.seen_at, l.first_at) as before_at, l.last_at, l.first_at
  from (values (7), (30)) s(days)
  cross join last l
  left join before b using (days)
)
select r.snapshot, c.before_at, c.last_at, c.before_at = c.first_at as is_first,
  round((epoch(c.last_at) - epoch(c.before_at)) / 86400)::integer as days_between
from chosen c
join readings r on r.game_id = $game and r.seen_at = c.before_at
where c.before_at < c.last_at
order by c.before_at desc;
