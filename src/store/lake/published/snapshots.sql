-- snapshots: every published snapshot of a game; is_current marks the current one
-- grain:  one row per (game_id, snapshot)
-- reads:  variable manifest_files; is_current is set afterwards
-- columns:
--   game_id varchar: the game's id
--   snapshot varchar: id of the snapshot; the run that made it
--   is_current boolean: true if the tables of this file contain it
--   deployment_id varchar: newest deployment at the reading; null = the changelog was empty
--   deployed_at timestamptz: when that deployment went live, UTC, by the marketplace's clock
--   extracted_at timestamptz: when the reading was complete, UTC, by our clock
--   previous varchar: previously published snapshot; null = the game's first
--   products bigint: rows in products
--   expansions bigint: rows in expansions
--   prices bigint: rows in source_prices and marketplace_prices
--   external_ids bigint: rows in external_ids
--   refused bigint: records that the contract refused
--   rounds integer: number of readings until the feed did not change and the census was complete
--   size_bytes bigint: total size of its Parquet files when written; prices may since have moved to a month of the history
--   contract_version integer: contract version that made it
select
  "gameId" as game_id,
  snapshot,
  false as is_current,
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
