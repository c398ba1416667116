-- reused_ids: ids that now belong to a different product: prices before and after are not comparable
-- grain:  one row per (game_id, product_id, snapshot)
-- reads:  macros of is_another.sql; nights; variable fresh_nights and table earlier_reused_ids of fresh_nights.sql; views product_versions and external_id_versions of schema files
-- absent: no row = the id always belonged to the same product, judging by its fields and external ids
-- columns:
--   game_id: the game's id
--   product_id: the id
--   snapshot: the first reading that found another product under it
--   seen_at: when that reading was complete, UTC
--   changed: fields that differ from the previous product, sorted
create or replace table reused_ids as
-- Removed ids that came back: each version beside its predecessor.
with gone as (select distinct game_id, product_id from files.product_versions where change = 'removed'),
returning_ids as (
  select v.game_id, v.product_id, v.snapshot, v.change, n.place, n.seen_at,
    {product_type: v.product_type, name: v.name, name_slug: v.name_slug, print_number: v.print_number, expansion_id: v.expansion_id} as now,
    lag(now) over dated as was, lag(n.place) over dated as gone_at
  from files.product_versions v
  semi join gone using (game_id, product_id)
  join nights n using (game_id, snapshot)
  window dated as (partition by v.game_id, v.product_id order by n.place)
),
returned as (
  select game_id, product_id, snapshot, place, gone_at, seen_at, list_filter([
    if(now.expansion_id is distinct from was.expansion_id, 'expansion_id', null),
    if(now.name is distinct from was.name, 'name', null),
    if(now.name_slug is distinct from was.name_slug, 'name_slug', null),
    if(now.print_number is distinct from was.print_number, 'print_number', null),
    if(now.product_type is distinct from was.product_type, 'product_type', null)
  ], lambda field: field is not null) as changed
  from returning_ids
  where change = 'added' and was is not null and list_contains(getvariable('fresh_nights'), snapshot)
),
edited as (
  select v.game_id, v.product_id, v.snapshot, v.changed, n.place, null::integer as gone_at, n.seen_at
  from files.product_versions v
  join nights n using (game_id, snapshot)
  where v.change = 'modified' and may_be_another(v.changed) and list_contains(getvariable('fresh_nights'), v.snapshot)
  union all
  select game_id, product_id, snapshot, changed, place, gone_at, seen_at from returned where may_be_another(changed)
),
-- External ids at that reading and at the product's last one: those whose last version is not a removal.
held as (
  select e.game_id, e.product_id, e.snapshot, v.system, v.finish, v.external_id,
    coalesce(arg_max(v.change, n.place) filter (n.place < e.place and n.place is distinct from e.gone_at), 'removed') <> 'removed' as was,
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
union all
from earlier_reused_ids
order by game_id, product_id, seen_at;
