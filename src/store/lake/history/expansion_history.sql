-- expansion_history: every version of every expansion
-- grain:  one row per (game_id, expansion_id, valid_from)
-- absent: no row at a time = the expansion was not in the catalogue then
-- columns:
--   game_id: the game's id
--   expansion_id: the marketplace's id
--   valid_from: when this version was first read, UTC
--   valid_to: when it was first read as changed or removed, UTC; null = still valid
--   deployment_id: newest deployment at the reading that found it; null = the changelog was empty
--   change: added or modified
--   changed: fields that differ from the previous version, sorted; null = added
--   *: as in expansions
create view expansion_history as
with versions as (
  select v.*, n.seen_at as valid_from, n.deployment_id,
    lead(n.seen_at) over (partition by v.game_id, v.expansion_id order by n.place) as valid_to
  from files.expansion_versions v
  join nights n using (game_id, snapshot)
)
select game_id, expansion_id, valid_from, valid_to, deployment_id, change, changed,
  columns(lambda name: name not in (
    'game_id', 'expansion_id', 'valid_from', 'valid_to', 'deployment_id', 'change', 'changed', 'place', 'snapshot', 'month'
  ))
from versions
where change <> 'removed';
