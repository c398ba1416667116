-- Snapshots of a game that were published, the newest first.
-- reads: $game
select snapshot, previous, deployment_id, deployed_at, extracted_at, is_current
from snapshots where game_id = $game order by snapshot desc;
