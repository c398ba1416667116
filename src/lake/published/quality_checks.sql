-- quality_checks: what every snapshot's tables promise, and how many rows broke it
-- grain:  one row per (game_id, snapshot, table_name, check_text)
-- reads:  variable manifest_files
-- columns:
--   game_id: the game's id
--   snapshot: the snapshot
--   table_name: the table
--   check_text: true of every row, or the key that is unique
--   violations: rows (for a uniqueness: keys) that break it; 0 = passed
create table quality_checks as
select game_id, snapshot, c."table" as table_name, c."check" as check_text, c.violations as violations
from (
  select "gameId" as game_id, snapshot, unnest(checks) as c
  from read_json(getvariable('manifest_files'), columns = {
    "gameId": 'varchar', snapshot: 'varchar', checks: 'struct("table" varchar, "check" varchar, violations bigint)[]'
  })
)
order by game_id, snapshot, table_name, check_text;
