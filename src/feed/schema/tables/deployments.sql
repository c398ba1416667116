-- deployments: the changelog: deployments of a game's feed, with the counts that they claim
-- grain:  one row per (game_id, deployment_id)
-- list:   changelog
-- reads:  variables previous_deployment, previous_sequence and shown_deployment (the newest that feed files show; null = all of them are shown); in a batch `sequence` is the place in the feed, 1 = the newest
-- checks: (game_id, deployment_id) is unique; deployed_at is not null
-- columns:
--   game_id varchar: the game's id
--   deployment_id varchar from id: the marketplace's id of the changelog entry, opaque
--   sequence bigint from feedPosition: order in the feed, 1 = the oldest known
--   deployed_at timestamptz: when the update went live, UTC, by the marketplace's clock
--   products_added bigint from summary.products.added: claimed count
--   products_modified bigint from summary.products.modified: claimed count, without price changes
--   products_removed bigint from summary.products.removed: claimed count
--   expansions_added bigint from summary.expansions.added: claimed count
--   expansions_modified bigint from summary.expansions.modified: claimed count
--   expansions_removed bigint from summary.expansions.removed: claimed count
--   extra json: JSON object of keys that are not in the contract; null = none
with fresh as (
  select * from batch
  where sequence < coalesce(
    (select min(sequence) from batch where deployment_id = getvariable('previous_deployment')), 9223372036854775807
  )
  and sequence >= case
    when getvariable('shown_deployment') is null then 0
    else coalesce((select min(sequence) from batch where deployment_id = getvariable('shown_deployment')), 9223372036854775807)
  end
)
select * replace (
  getvariable('previous_sequence')::bigint + row_number() over (order by sequence desc) as sequence
)
from fresh
order by sequence;
