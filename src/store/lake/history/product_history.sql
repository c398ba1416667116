-- product_history: every version of every product's catalogue data; prices do not make a version
-- grain:  one row per (game_id, product_id, valid_from)
-- absent: no row at a time = the product was not in the catalogue then
-- columns:
--   game_id: the game's id
--   product_id: the marketplace's id
--   valid_from: when this version was first read, UTC
--   valid_to: when it was first read as changed or removed, UTC; null = still valid
--   deployment_id: newest deployment at the reading that found it; null = the changelog was empty
--   change: added or modified
--   changed: fields that differ from the previous version, sorted; null = added
--   *: as in products
--   languages: languages it was printed in, in the feed's order
--   finishes: finishes it exists in, in the feed's order; a sealed product has one, Standard
create view product_history as
with versions as (
  select v.*, n.seen_at as valid_from, n.deployment_id,
    lead(n.seen_at) over (partition by v.game_id, v.product_id order by n.place) as valid_to
  from files.product_versions v
  join nights n using (game_id, snapshot)
)
select game_id, product_id, valid_from, valid_to, deployment_id, change, changed,
  columns(lambda name: name not in (
    'game_id', 'product_id', 'valid_from', 'valid_to', 'deployment_id', 'change', 'changed', 'place', 'snapshot', 'month'
  ))
from versions
where change <> 'removed';
