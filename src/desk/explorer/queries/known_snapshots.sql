-- Published snapshots of a game, newest first, each with its predecessor in the history; a rolled-back one has the snapshot that was
-- published before it.
-- reads: $game
select snapshot, coalesce(follows, previous) as previous, deployment_id, deployed_at, extracted_at, is_current
from snapshots
left join (select snapshot, lag(snapshot) over (order by place) as follows from nights where game_id = $game) using (snapshot)
where game_id = $game order by snapshot desc;
