-- The published snapshot of each game, as one JSON list. Every answer of the assistant names it.
-- reads: snapshots, nights, readings
select to_json(list({game: s.game_id, snapshot: s.snapshot, night: n.place, day: n.day::varchar, last_reading: r.seen_at::varchar} order by s.game_id))::varchar
from snapshots s
left join nights n using (game_id, snapshot)
left join (select game_id, max(seen_at) as seen_at from readings group by game_id) r using (game_id)
where s.is_current
