-- reconciliations: the changelog's claims against the computed changes, between two snapshots published one after the other. Nights that were held, or taken back by a rollback, are left out: compare them with cardlake diff
-- grain:  one row per (game_id, to_snapshot, entity, slug, item_id)
-- columns:
--   game_id: the game's id
--   from_snapshot: the earlier snapshot
--   to_snapshot: the later snapshot
--   deployment_id: the last deployment that claims the item; null = none claims it
--   entity: product or expansion
--   item_id: product or expansion id; null = a removed slug that names nothing we know
--   slug: the item's slug
--   claimed: what the deployments together claim: added, modified or removed; null = nothing
--   seen: what was computed, price moves aside: added, modified or removed; null = nothing
--   status: confirmed, claimed_not_seen or seen_not_claimed
--   explanation: refused = the record was rejected by the contract; netted = several deployments undid each other; price_only = only its prices moved, which no changelog has to claim; null = none
create table reconciliations (
  game_id varchar, from_snapshot varchar, to_snapshot varchar, deployment_id varchar, entity varchar, item_id bigint,
  slug varchar, claimed varchar, seen varchar, status varchar, explanation varchar
);
