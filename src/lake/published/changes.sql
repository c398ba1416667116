-- changes: what differs between two snapshots published one after the other. Nights that were held, or taken back by a rollback, are left out: compare them with cardlake diff
-- grain:  one row per (game_id, to_snapshot, entity, id, field)
-- columns:
--   game_id: the game's id
--   from_snapshot: the earlier snapshot
--   to_snapshot: the later snapshot
--   entity: product or expansion
--   id: product or expansion id
--   change: added, modified or removed
--   class: catalogue or price
--   field: column that moved, as name, external_ids.mtgId or prices.Foil.sourceEur.low; null = the whole item came or went
--   old: value before, as text; null = absent; for a removed item its name
--   new: value after, as text; null = absent; for an added item its name
create table changes (
  game_id varchar, from_snapshot varchar, to_snapshot varchar, entity varchar, id bigint, change varchar, class varchar,
  field varchar, old varchar, new varchar
);
