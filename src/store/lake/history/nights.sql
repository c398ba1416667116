-- nights: the readings that make up the history: published, and not taken back by a rollback. They stay when their snapshots are pruned
-- grain:  one row per (game_id, snapshot)
-- reads:  variable nights (a JSON list)
-- columns:
--   game_id: the game's id
--   snapshot: the reading; the run that made it
--   place: its number in the game's history, from 1
--   deployment_id: changelog head of the reading; null = the feed had no entry
--   deployed_at: when that deployment went live, UTC, the marketplace's clock
--   dialect: the words that the feed was in: spec, live or live-july
--   seen_at: when the reading was complete, UTC, our clock; just before the night that followed, if the clock was ahead
--   day: of seen_at, in UTC whatever the session's time zone
create or replace table nights as
select n.*, n.seen_at::date as day
from (
  select unnest(from_json(getvariable('nights'), '[{
    "game_id": "varchar", "snapshot": "varchar", "place": "integer", "deployment_id": "varchar",
    "deployed_at": "timestamptz", "dialect": "varchar", "seen_at": "timestamptz"
  }]')) as n
)
order by n.game_id, n.place;
