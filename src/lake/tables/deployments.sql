-- deployments: the changelog: one deployment of a game's feed, with the counts it claims
-- grain:  one row per (game_id, deployment_id)
-- reads:  raw_deployments; variables previous_deployment, previous_sequence
-- checks: (game_id, deployment_id) is unique; deployed_at is not null
-- columns:
--   game_id varchar: the game's id
--   deployment_id varchar: the marketplace's id of the changelog entry, opaque
--   sequence bigint: order in which the feed lists them, 1 = the oldest known
--   deployed_at timestamptz: when the update went live, UTC, the marketplace's clock
--   products_added bigint: claimed count
--   products_modified bigint: claimed count; price moves are not claimed
--   products_removed bigint: claimed count
--   expansions_added bigint: claimed count
--   expansions_modified bigint: claimed count
--   expansions_removed bigint: claimed count
--   extra json: JSON object of keys the contract does not know; null = none
create view deployments as
with fresh as (
  select * from raw_deployments
  where feed_position < coalesce(
    (select min(feed_position) from raw_deployments where id = getvariable('previous_deployment')), 9223372036854775807
  )
)
select
  getvariable('game_id') as game_id,
  id as deployment_id,
  getvariable('previous_sequence')::bigint + row_number() over (order by feed_position desc) as sequence,
  "deployedAt" as deployed_at,
  summary.products.added as products_added,
  summary.products.modified as products_modified,
  summary.products.removed as products_removed,
  summary.expansions.added as expansions_added,
  summary.expansions.modified as expansions_modified,
  summary.expansions.removed as expansions_removed,
  extra
from fresh
order by sequence;
