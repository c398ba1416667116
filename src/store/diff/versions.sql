-- The versions that a night adds to the history, into views `product_versions`, `expansion_versions` and `external_id_versions`:
-- added and modified items have their new fields, removed ones their last.
-- reads: schemas before and after with the tables of the two snapshots; catalogue_changes; macro may_differ of compareCatalogue.sql

create temp table changed_items as
select entity, id, any_value(change) as change, list(field order by field) filter (field is not null) as changed
from catalogue_changes
group by entity, id;

create temp view product_versions as
with touched as (select id as product_id, change, changed from changed_items where entity = 'product'),
now as (select columns(lambda name: not list_contains(getvariable('unversioned'), name)) from after.products),
was as (select columns(lambda name: not list_contains(getvariable('unversioned'), name)) from before.products)
select p.*, l.languages, f.finishes, t.change, t.changed
from now p
join touched t using (product_id)
left join (
  select product_id, list(language order by position) as languages
  from after.product_languages semi join touched using (product_id) group by product_id
) l using (product_id)
left join (
  select product_id, list(finish order by position) as finishes
  from after.product_finishes semi join touched using (product_id) group by product_id
) f using (product_id)
union all by name
select p.*, t.change
from was p join touched t using (product_id)
where t.change = 'removed';

create temp view expansion_versions as
select e.*, c.change, c.changed
from after.expansions e join changed_items c on c.entity = 'expansion' and c.id = e.expansion_id
where c.change <> 'removed'
union all
select e.*, c.change, null
from before.expansions e join changed_items c on c.entity = 'expansion' and c.id = e.expansion_id
where c.change = 'removed';

create temp view external_id_versions as
with touched as (select id as product_id from changed_items where entity = 'product'),
old as (
  select distinct game_id, product_id, system, finish, external_id from before.external_ids semi join touched using (product_id) where may_differ('external_ids')
),
new as (
  select distinct game_id, product_id, system, finish, external_id from after.external_ids semi join touched using (product_id) where may_differ('external_ids')
)
select *, 'added' as change from (from new except from old)
union all
select *, 'removed' from (from old except from new);
