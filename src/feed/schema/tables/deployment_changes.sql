-- deployment_changes: items that each deployment claims to change; only deployments after the first reading of a game
-- grain:  one row per (game_id, deployment_id, entity, change, position)
-- list:   changelog
-- reads:  deployments
-- checks: (game_id, deployment_id, entity, change, position) is unique; slug is not null
-- columns:
--   game_id varchar: the game's id
--   deployment_id varchar: the changelog entry
--   entity varchar: product or expansion
--   change varchar: added, modified or removed
--   position integer: position in the entry's list, from 1
--   slug varchar: the item's slug at that time
--   item_id bigint from id: product or expansion id; null = none in the feed, as for removed items
select batch.*
from batch
join deployments using (deployment_id)
order by sequence, entity, change, position;
