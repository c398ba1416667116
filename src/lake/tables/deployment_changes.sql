-- deployment_changes: what each deployment says it touched; only deployments that went live after the first reading of a game
-- grain:  one row per (game_id, deployment_id, entity, change, position)
-- reads:  raw_deployments, deployments
-- checks: (game_id, deployment_id, entity, change, position) is unique; slug is not null
-- columns:
--   game_id varchar: the game's id
--   deployment_id varchar: the changelog entry
--   entity varchar: product or expansion
--   change varchar: added, modified or removed
--   position integer: place in the entry's list, from 1
--   slug varchar: the item's slug at that time
--   item_id bigint: product or expansion id; null = the feed names none, as for removed items
create view deployment_changes as
with claims as (
  select id, 'product' as entity, 'added' as change, changes.products.added as items from raw_deployments
  union all select id, 'product', 'modified', changes.products.modified from raw_deployments
  union all select id, 'product', 'removed', changes.products.removed from raw_deployments
  union all select id, 'expansion', 'added', changes.expansions.added from raw_deployments
  union all select id, 'expansion', 'modified', changes.expansions.modified from raw_deployments
  union all select id, 'expansion', 'removed', changes.expansions.removed from raw_deployments
),
items as (
  select id as deployment_id, entity, change, unnest(range(1, len(items) + 1))::integer as position, unnest(items) as item
  from claims
  where len(items) > 0
)
select game_id, deployment_id, entity, change, position, item.slug as slug, item.id as item_id
from items
join deployments using (deployment_id)
order by sequence, entity, change, position;
