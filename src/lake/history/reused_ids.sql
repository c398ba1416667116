-- reused_ids: ids that stand for another product since a reading: prices of before and after it are not of one thing
-- grain:  one row per (game_id, product_id, snapshot)
-- reads:  macros of is_another.sql; nights; views product_versions and external_id_versions of schema files
-- absent: no row = the id has always stood for the same product, as far as its fields and ids in other systems tell
-- columns:
--   game_id: the game's id
--   product_id: the id
--   snapshot: the first reading that found another product under it
--   seen_at: when that reading was complete, UTC
--   changed: fields that differ from the product before, sorted
create table reused_ids as
with edited as (
  select v.game_id, v.product_id, v.snapshot, v.changed, n.place, n.seen_at
  from files.product_versions v
  join nights n using (game_id, snapshot)
  where v.change = 'modified' and may_be_another(v.changed)
),
-- its ids at that reading and the one before: those whose last version is not their removal
held as (
  select e.game_id, e.product_id, e.snapshot, v.system, v.finish, v.external_id,
    coalesce(arg_max(v.change, n.place) filter (n.place < e.place), 'removed') <> 'removed' as was,
    arg_max(v.change, n.place) <> 'removed' as still
  from files.external_id_versions v
  join edited e using (game_id, product_id)
  join nights n on n.game_id = v.game_id and n.snapshot = v.snapshot
  where n.place <= e.place and v.system <> 'mtgOracleId'
  group by all
),
ids as (
  select game_id, product_id, snapshot, list({system: system, id: external_id}) filter (was) as before,
    list({system: system, id: external_id}) filter (still) as after
  from held
  group by all
)
select game_id, product_id, snapshot, seen_at, changed
from edited left join ids using (game_id, product_id, snapshot)
where is_another(changed, coalesce(before, []), coalesce(after, []))
order by game_id, product_id, seen_at;
