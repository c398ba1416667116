-- expansions_at: Which expansions there were at a time
-- grain:  one row per (game_id, expansion_id)
-- takes:  ts: the time, a timestamp or its text (UTC where it names no zone)
-- example: from expansions_at('2026-11-01')
-- columns:
--   *: as in expansion_history
create macro expansions_at(ts) as table
from expansion_history
where valid_from <= ts::timestamptz and (valid_to is null or valid_to > ts::timestamptz);
