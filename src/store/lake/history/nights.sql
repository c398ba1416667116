-- nights: the readings of the history: published and not rolled back. They are kept when their snapshots are pruned
-- grain:  one row per (game_id, snapshot)
-- reads:  variable nights (a JSON list)
-- columns:
--   game_id: the game's id
--   snapshot: the reading; the run that made it
--   place: its number in the game's history, from 1
--   deployment_id: newest deployment at the reading; null = the changelog was empty
--   deployed_at: when that deployment went live, UTC, by the marketplace's clock
--   dialect: dialect of the feed (its field names): spec, live or live-july
--   seen_at: when the reading was complete, UTC, by our clock; if the clock was ahead, just before the next night
--   day: UTC day of seen_at, independent of the session's time zone
create or replace table nights as
select n."gameId" as game_id, n.snapshot, n.place, n."deploymentId" as deployment_id, n."deployedAt" as deployed_at, n.dialect,
  n."seenAt" as seen_at, n."seenAt"::date as day
from (
  select unnest(from_json(getvariable('nights'), '[{
    "gameId": "varchar", "snapshot": "varchar", "place": "integer", "deploymentId": "varchar",
    "deployedAt": "timestamptz", "dialect": "varchar", "seenAt": "timestamptz"
  }]')) as n
)
order by n."gameId", n.place;
