-- quality_checks: checks of every snapshot's tables, with the number of rows that break them
-- grain:  one row per (game_id, snapshot, table_name, check_text)
-- reads:  variable manifest_files
-- columns:
--   game_id varchar: the game's id
--   snapshot varchar: the snapshot
--   table_name varchar: the table
--   check_text varchar: condition that every row satisfies, or the unique key
--   violations bigint: rows (for a unique key: keys) that break it; 0 = passed
select game_id, snapshot, c."table" as table_name, c."check" as check_text, c.violations as violations
from (
  select "gameId" as game_id, snapshot, unnest(checks) as c
  from read_json(getvariable('manifest_files'), columns = {
    "gameId": 'varchar', snapshot: 'varchar', checks: 'struct("table" varchar, "check" varchar, violations bigint)[]'
  })
)
