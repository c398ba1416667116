-- readings: when the game was read to its end: its nights, and later readings that found nothing new. Every "ago" counts from the last one
-- grain:  one row per (game_id, snapshot, read_at)
-- reads:  readings of the lake
-- columns:
--   game_id varchar: the game's id
--   is_confirmation boolean: whether the reading found nothing new; snapshot_id is then the night that the feed still matched, read_at when the reading began
select snapshot, strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') as "seenAt", is_confirmation as "isConfirmation"
from readings
order by seen_at, snapshot
