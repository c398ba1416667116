-- external_id_history: the time during which a product had an id in another system
-- grain:  one row per (game_id, product_id, system, finish, external_id, valid_from)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   system: key in the contract: sourceEur, sourceUsd, mtgId, mtgOracleId, konamiStyleId, lorcanaId, fabId, riftboundId
--   finish: the finish that the id belongs to; null = none
--   external_id: the id as text
--   valid_from: when the product was first read with the id, UTC
--   valid_to: when it was first read without the id, UTC; null = still has it
--   deployment_id: newest deployment at the reading that found it; null = the changelog was empty
create view external_id_history as
with versions as (
  select v.*, n.seen_at as valid_from, n.deployment_id,
    lead(n.seen_at) over (partition by v.game_id, v.product_id, v.system, v.finish, v.external_id order by n.place) as valid_to
  from files.external_id_versions v
  join nights n using (game_id, snapshot)
)
select game_id, product_id, system, finish, external_id, valid_from, valid_to, deployment_id
from versions
where change <> 'removed';
