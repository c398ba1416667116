-- readings: complete readings of the game: its nights, and later readings that found no change. Every "ago" counts from the last one
-- grain:  one row per (game_id, snapshot, read_at)
-- reads:  readings of the lake
-- columns:
--   game_id varchar: the game's id
--   is_confirmation boolean: true if the reading found no change; then snapshot_id is the night that the feed still matched, and read_at is when the reading began
select snapshot, strftime(seen_at, '%Y-%m-%dT%H:%M:%S.%gZ') as "seenAt", is_confirmation as "isConfirmation"
from readings
order by seen_at, snapshot
