-- What the changelog claims between two snapshots against what was computed, item by item, into table `reconciliations`
-- (its meaning: lake/published/reconciliations.sql). Price moves are never claimed and are left aside.
-- reads: changes; schemas before and after; views feed_deployments, feed_changes (every known deployment of the game);
--        variables game_id, from_snapshot, to_snapshot, from_sequence, to_sequence

create temp table seen as
select entity, id as item_id, any_value(change) as change
from changes
where class = 'catalogue'
group by entity, id;

create temp table claims as
select d.sequence, d.deployment_id, c.entity, c.change, c.slug, c.item_id
from feed_changes c
join feed_deployments d using (deployment_id)
where d.sequence > getvariable('from_sequence') and d.sequence <= getvariable('to_sequence');

-- a removed item comes without id: its slug is looked up in the earlier snapshot and among the other claims
create temp table named_items as
with slugs as (select distinct entity, slug from claims where item_id is null),
-- the feed may name a product by its own slug or by expansion and slug together
names as (
  select 'product' as entity, name_slug as slug, product_id as item_id from before.products
  where name_slug in (select slug from slugs)
  union select 'product', e.slug || '-' || p.name_slug, p.product_id
  from before.products p join before.expansions e using (expansion_id)
  where e.slug || '-' || p.name_slug in (select slug from slugs)
  union select 'expansion', slug, expansion_id from before.expansions
  union select entity, slug, item_id from claims where item_id is not null
)
select n.entity, n.slug, n.item_id,
  row_number() over (partition by n.entity, n.slug order by coalesce(s.change = 'removed', false) desc, n.item_id) as place
from names n
join slugs using (entity, slug)
left join seen s on s.entity = n.entity and s.item_id = n.item_id;

create temp table resolved_claims as
with unnamed as (
  select *, row_number() over (partition by entity, slug, sequence, change) as place from claims where item_id is null
)
select sequence, deployment_id, entity, change, slug, item_id from claims where item_id is not null
union all
select u.sequence, u.deployment_id, u.entity, u.change, u.slug, n.item_id
from unnamed u
left join named_items n using (entity, slug, place);

-- several deployments together: added then removed is nothing, removed then added is a modification
create temp table composed_claims as
select
  entity,
  item_id,
  arg_max(slug, sequence) as slug,
  arg_max(deployment_id, sequence) as deployment_id,
  count(*) as touches,
  case
    when arg_min(change, sequence) = 'added' and arg_max(change, sequence) = 'removed' then null
    when arg_min(change, sequence) = 'added' then 'added'
    when arg_max(change, sequence) = 'removed' then 'removed'
    else 'modified'
  end as claimed
from resolved_claims
group by entity, item_id, case when item_id is null then slug end;

create temp table reconciliations as
with refused as (
  select case list when 'products' then 'product' when 'expansions' then 'expansion' end as entity, record_id
  from (select list, record_id from before.refusals union select list, record_id from after.refusals)
),
met as (
  select
    coalesce(c.entity, s.entity) as entity,
    coalesce(c.item_id, s.item_id) as item_id,
    c.slug,
    c.deployment_id,
    c.claimed,
    s.change as seen,
    case
      when c.claimed is not distinct from s.change then 'confirmed'
      when c.claimed is null then 'seen_not_claimed'
      else 'claimed_not_seen'
    end as status,
    c.touches
  from composed_claims c
  full join seen s on s.entity = c.entity and s.item_id = c.item_id
  where c.claimed is not null or s.change is not null
)
select
  getvariable('game_id') as game_id,
  getvariable('from_snapshot') as from_snapshot,
  getvariable('to_snapshot') as to_snapshot,
  m.deployment_id,
  m.entity,
  m.item_id,
  coalesce(m.slug, p.name_slug, e.slug) as slug,
  m.claimed,
  m.seen,
  m.status,
  case
    when m.status = 'confirmed' then null
    when r.record_id is not null then 'refused'
    when m.claimed = 'modified' and m.seen is null and m.touches > 1 then 'netted'
  end as explanation
from met m
left join refused r on r.entity = m.entity and r.record_id = m.item_id::varchar
left join after.products p on p.product_id = case when m.entity = 'product' and m.slug is null then m.item_id end
left join after.expansions e on e.expansion_id = case when m.entity = 'expansion' and m.slug is null then m.item_id end;
