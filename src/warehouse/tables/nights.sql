-- nights: nights in the export. Rows of other tables are valid only if their night counts
-- grain:  one row per (game_id, snapshot)
-- reads:  variable drop_nights (a JSON list)
-- columns:
--   game_id varchar: the game's id
--   counts boolean: false = the night was rolled back after its export, and its rows were removed
--   place integer: its position in the game's history, from 1; null = it does not count
--   follows varchar: the previous night in the history; null = the game's first, or it does not count
--   deployment_id varchar: newest deployment at the reading; null = the changelog was empty
--   deployed_at timestamptz: when that deployment went live, UTC, by the marketplace's clock; null = the changelog was empty
select n.*
from (
  select unnest(from_json(getvariable('drop_nights'), '[{
    "game_id": "varchar", "night": "varchar", "counts": "boolean", "place": "integer", "follows": "varchar",
    "deployment_id": "varchar", "deployed_at": "timestamptz"
  }]')) as n
)
