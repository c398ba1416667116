-- snapshots: every published reading of a game, the present one marked
-- grain:  one row per (game_id, snapshot)
-- reads:  variables manifest_files, current_snapshots
-- columns:
--   game_id: the game's id
--   snapshot: id of the snapshot; the run that made it
--   is_current: whether the tables of this file hold it
--   deployment_id: changelog head of the reading; null = the feed had no entry
--   deployed_at: when that deployment went live, UTC, the marketplace's clock
--   extracted_at: when the reading was complete, UTC, our clock
--   previous: snapshot that was published before it; null = the game's first
--   products: rows in products
--   expansions: rows in expansions
--   prices: rows in source_prices and marketplace_prices
--   external_ids: rows in external_ids
--   refused: records the contract rejected
--   rounds: how often the game was read until feed and census stood still
--   size_bytes: of its Parquet files together, as they were written; its prices may lie in a month of the history by now
--   contract_version: reading of the contract that made it
create table snapshots as
select
  "gameId" as game_id,
  snapshot,
  list_contains(getvariable('current_snapshots'), "gameId" || '/' || snapshot) as is_current,
  "deploymentId" as deployment_id,
  "deployedAt" as deployed_at,
  "extractedAt" as extracted_at,
  previous,
  tables['products'].rows as products,
  tables['expansions'].rows as expansions,
  tables['source_prices'].rows + tables['marketplace_prices'].rows as prices,
  tables['external_ids'].rows as external_ids,
  refused,
  rounds,
  list_sum(list_transform(map_values(tables), lambda t: t."sizeBytes"))::bigint as size_bytes,
  "contractVersion" as contract_version
from read_json(getvariable('manifest_files'), columns = {
  "gameId": 'varchar', snapshot: 'varchar', "deploymentId": 'varchar', "deployedAt": 'timestamptz', "extractedAt": 'timestamptz',
  previous: 'varchar', refused: 'bigint', rounds: 'integer', "contractVersion": 'integer',
  tables: 'map(varchar, struct(rows bigint, "sizeBytes" bigint))'
})
order by game_id, extracted_at;
