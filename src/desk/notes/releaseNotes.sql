-- The difference as release notes: a view `note_<section>` for each section, one row per line, every number as exact text.
-- `note_items` has the items of each section. Identities of identities.sql are in a separate section and in no other.
-- reads: catalogue_changes, reconciliations, contradictions, removed_products, added_products, identities, note_moves, note_vanished,
--        moved_currencies; schemas before and after;
--        variables from_sequence, to_sequence

create temp view note_added as
select
  'product' as entity, product_id as id, name, replace(coalesce(product_category, product_type), '_', ' ') as kind, expansion_name as expansion,
  print_number, variant, plain(v.worth.market_value) as market_value, v.worth.currency as currency
from added_products left join item_values v on v.section = 'added' and v.id = product_id
where product_id not in (select new_id from identities where kind = 'replaced')
union all
select entity, id, new, 'expansion', null, null, null, null, null from catalogue_changes where entity = 'expansion' and change = 'added';

create temp view note_removed as
select
  'product' as entity, product_id as id, name, replace(coalesce(product_category, product_type), '_', ' ') as kind, expansion_name as expansion,
  print_number, variant, plain(v.worth.market_value) as market_value, v.worth.currency as currency
from removed_products left join item_values v on v.section = 'removed' and v.id = product_id
where product_id not in (select id from identities where kind <> 'reused')
union all
select entity, id, old, 'expansion', null, null, null, null, null from catalogue_changes where entity = 'expansion' and change = 'removed';

-- the market value of one of each product of a section, by currency
create temp view note_values as
select section, currency, plain(sum(market_value::decimal(38, 4))) as value, count(*) as products
from (select 'added' as section, * from note_added union all select 'removed', * from note_removed)
where market_value is not null
group by section, currency
order by section, currency;

create temp view note_replaced as
select 'product' as entity, i.id, o.name, i.new_id, n.name as new_name, i.known_by
from identities i
join removed_products o on o.product_id = i.id
join added_products n on n.product_id = i.new_id
where kind = 'replaced';

create temp view note_merged as
select 'product' as entity, i.id, o.name, i.new_id, n.name as new_name, i.known_by
from identities i
join removed_products o on o.product_id = i.id
join after.products n on n.product_id = i.new_id and n.product_id in (select new_id from identities where kind = 'merged')
where kind = 'merged';

-- fields of items whose id still identifies the same item
create temp view kept_fields as
select entity, id, field, old, new
from catalogue_changes
where change = 'modified' and not (entity = 'product' and id in (select id from identities where kind = 'reused'));

create temp view renamed_fields as from kept_fields where field in ('name', 'name_slug', 'slug');
create temp view moved_fields as from kept_fields where field in ('expansion_id', 'print_number', 'variant');
create temp view remapped_fields as from kept_fields where field like 'external_ids.%';
-- a product that moved shows its new expansion's name
create temp view edited_fields as
from kept_fields
where field not in ('name', 'name_slug', 'slug', 'expansion_id', 'print_number', 'variant') and field not like 'external_ids.%'
  and not (field in ('expansion_code', 'expansion_name', 'expansion_symbol_url')
    and id in (select id from moved_fields where field = 'expansion_id'));

-- the usual name of a printing
create macro place(expansion, print_number, variant) as
  concat_ws(' · ', coalesce(expansion, 'no expansion'), print_number, variant);

create temp table noted as
with wanted as (
  select id from moved_fields
  union select id from remapped_fields
  union select id from renamed_fields where entity = 'product'
  union select id from identities where kind = 'reused'
),
old as (
  select product_id as id, product_type, name, expansion_id, expansion_name, print_number, variant
  from before.products where product_id in (from wanted)
),
new as (
  select product_id as id, product_type, name, expansion_id, expansion_name, print_number, variant
  from after.products where product_id in (from wanted)
),
-- the ids distinguish two expansions of one name
pairs as (
  select id, old, new, old.expansion_name = new.expansion_name and old.expansion_id <> new.expansion_id as alike
  from old join new using (id)
)
select
  id, old.name as old_name, new.name as name, old.product_type as old_type, new.product_type as type,
  place(old.expansion_name || if(alike, ' ' || old.expansion_id, ''), old.print_number, old.variant) as old_place,
  place(new.expansion_name || if(alike, ' ' || new.expansion_id, ''), new.print_number, new.variant) as place
from pairs;

create temp view note_reused as
select
  'product' as entity, id, concat_ws(' · ', old_name, nullif(old_type, type), old_place) as old,
  concat_ws(' · ', name, nullif(type, old_type), place) as new
from noted where id in (select id from identities where kind = 'reused');

create temp view note_renamed as
select
  r.entity, r.id,
  coalesce(any_value(r.old) filter (r.field = 'name'), any_value(n.name), any_value(e.name)) as name,
  any_value(r.new) filter (r.field = 'name') as new_name,
  any_value(r.old) filter (r.field <> 'name') as slug,
  any_value(r.new) filter (r.field <> 'name') as new_slug
from renamed_fields r
left join noted n on r.entity = 'product' and n.id = r.id
left join after.expansions e on r.entity = 'expansion' and e.expansion_id = r.id
group by r.entity, r.id;

create temp view note_moved as
select 'product' as entity, id, name, old_place as old, place as new from noted where id in (select id from moved_fields);

-- ["abc"] becomes abc, [{"finish":"Foil","id":"7"}] becomes Foil 7
create macro ids_text(ids) as array_to_string(
  list_transform(
    from_json(ids, '["json"]'),
    lambda entry: coalesce((entry ->> '$.finish') || ' ' || (entry ->> '$.id'), entry ->> '$')
  ), ', '
);

create temp view note_remapped as
select r.entity, r.id, n.name, substr(r.field, 14) as system, ids_text(r.old) as old, ids_text(r.new) as new
from remapped_fields r join noted n on n.id = r.id;

-- the number of edited items of each field, and its most frequent edit. Texts may be long and many, so they are counted by their hash.
create temp view note_edited as
with edits as (
  select entity, field, min(id) as id, count(*) as times
  from edited_fields group by entity, field, hash(old, new)
),
fields as (
  select entity, field, sum(times) as items, max(times) as times, arg_max(id, (times, -id)) as id
  from edits group by entity, field
)
select f.entity, f.id, f.field, f.items::bigint as items, f.times, e.old, e.new
from fields f join edited_fields e on e.entity = f.entity and e.field = f.field and e.id = f.id;

create temp view note_unexplained as
select entity, item_id as id, slug, claimed, seen, status
from reconciliations
where status <> 'confirmed' and explanation is null
  -- the changelog has claims only forward in time
  and getvariable('from_sequence') <= getvariable('to_sequence');

create temp view note_contradictions as from contradictions;

create temp view note_items as
select 'added' as section, entity, id from note_added
union all select 'removed', entity, id from note_removed
union all select kind, 'product', id from identities
union all select 'renamed', entity, id from renamed_fields
union all select 'moved', entity, id from moved_fields
union all select 'remapped', entity, id from remapped_fields
union all select 'edited', entity, id from edited_fields
union all select 'currencies', 'product', product_id from moved_currencies
union all select 'moves', entity, id from note_moves
union all select 'vanished', entity, id from note_vanished
-- a deployment has no number, and an unknown item of the changelog has no id
union all select 'contradictions', entity, coalesce(id, -dense_rank() over (order by name)) from contradictions
union all select 'unexplained', entity, coalesce(id, -row_number() over ()) from note_unexplained;
