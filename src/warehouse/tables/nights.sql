-- nights: which nights of the drop count. Rows of other tables count only if their night does
-- grain:  one row per (game_id, snapshot)
-- reads:  variable drop_nights (a JSON list)
-- columns:
--   game_id varchar: the game's id
--   counts boolean: false = the night was taken back after it had been exported; its day no longer has rows of it
--   place integer: its number in the game's history, from 1; null = it does not count
--   follows varchar: the night before it in the history; null = the game's first, or it does not count
--   deployment_id varchar: changelog head of the reading; null = the feed had no entry
--   deployed_at timestamptz: when that deployment went live, UTC, the marketplace's clock; null = the feed had no entry
select n.*
from (
  select unnest(from_json(getvariable('drop_nights'), '[{
    "game_id": "varchar", "night": "varchar", "counts": "boolean", "place": "integer", "follows": "varchar",
    "deployment_id": "varchar", "deployed_at": "timestamptz"
  }]')) as n
)
