-- What of the catalogue differs between two snapshots of a game, set-wise: tables `touched_products`, `catalogue_changes`.
-- reads: schemas before and after with the tables of the two snapshots

-- a JSON value as the sorted list of its leaves: the order of keys does not matter, the order of arrays does, 1.0 is 1
create macro canonical_json(j) as (
  select list(
    fullkey || ' ' ||
    case when type in ('UBIGINT', 'BIGINT', 'DOUBLE') then 'NUMBER ' || ((atom::varchar)::double + 0) else type || coalesce(' ' || atom::varchar, '') end
    order by fullkey
  )
  from json_tree(j)
);

create macro moved(field, old, new) as {field: field, old: old, new: new};

create macro external_entry(finish, external_id) as
  case when finish is null then to_json(external_id) else json_object('finish', finish, 'id', external_id) end;

-- products whose row hash differs, or that only one side has
create temp table touched_products as
select
  coalesce(b.product_id, a.product_id) as id,
  case when b.product_id is null then 'added' when a.product_id is null then 'removed' else 'modified' end as change
from before.products b
full join after.products a on a.product_id = b.product_id
where b.row_hash is distinct from a.row_hash;

-- the lists that differ of products in both, as JSON: one that differs has an entry that stands on one side alone
create temp table product_lists as
with touched as (select id as product_id from touched_products where change = 'modified'),
entries as materialized (
  select 'before' as side, product_id, 'languages' as field, position, to_json(language) as entry
  from before.product_languages semi join touched using (product_id)
  union all
  select 'after', product_id, 'languages', position, to_json(language)
  from after.product_languages semi join touched using (product_id)
  union all
  select 'before', product_id, 'finishes', position, to_json(finish)
  from before.product_finishes semi join touched using (product_id)
  union all
  select 'after', product_id, 'finishes', position, to_json(finish)
  from after.product_finishes semi join touched using (product_id)
  union all
  select 'before', product_id, 'external_ids.' || system, position, external_entry(finish, external_id)
  from before.external_ids semi join touched using (product_id)
  union all
  select 'after', product_id, 'external_ids.' || system, position, external_entry(finish, external_id)
  from after.external_ids semi join touched using (product_id)
),
differing as (
  select distinct product_id, field
  from (select product_id, field from entries group by product_id, field, position, entry having count(*) = 1)
)
select
  product_id as id,
  field,
  '[' || string_agg(entry::varchar, ',' order by position) filter (side = 'before') || ']' as old,
  '[' || string_agg(entry::varchar, ',' order by position) filter (side = 'after') || ']' as new
from entries semi join differing using (product_id, field)
group by product_id, field;

create temp table product_fields as
with pairs as (
  select t.id, unnest([
    moved('product_type', b.product_type, a.product_type),
    moved('product_category', b.product_category, a.product_category),
    moved('name', b.name, a.name),
    moved('name_slug', b.name_slug, a.name_slug),
    moved('expansion_id', b.expansion_id::varchar, a.expansion_id::varchar),
    moved('expansion_code', b.expansion_code, a.expansion_code),
    moved('expansion_name', b.expansion_name, a.expansion_name),
    moved('expansion_symbol_url', b.expansion_symbol_url, a.expansion_symbol_url),
    moved('print_number', b.print_number, a.print_number),
    moved('variant', b.variant, a.variant),
    moved('rarity', b.rarity, a.rarity),
    moved('image_url', b.image_url, a.image_url),
    moved('image_back_url', b.image_back_url, a.image_back_url),
    moved('release_date', b.release_date::varchar, a.release_date::varchar)
  ]) as f
  from touched_products t
  join before.products b on b.product_id = t.id
  join after.products a on a.product_id = t.id
  where t.change = 'modified'
),
documents as (
  select t.id, unnest([moved('attributes', b.attributes, a.attributes), moved('extra', b.extra, a.extra)]) as f
  from touched_products t
  join before.products b on b.product_id = t.id
  join after.products a on a.product_id = t.id
  where t.change = 'modified' and (b.attributes is distinct from a.attributes or b.extra is distinct from a.extra)
)
select id, f.field as field, f.old as old, f.new as new from pairs where f.old is distinct from f.new
union all
select id, f.field, f.old::varchar, f.new::varchar from documents
where canonical_json(f.old) is distinct from canonical_json(f.new)
union all
select id, field, old, new from product_lists;

create temp table expansion_fields as
with pairs as (
  select coalesce(b.expansion_id, a.expansion_id) as id,
    case when b.expansion_id is null then 'added' when a.expansion_id is null then 'removed' else 'modified' end as change,
    unnest(case
      when b.expansion_id is null then [moved(null, null, a.name)]
      when a.expansion_id is null then [moved(null, b.name, null)]
      else [
        moved('slug', b.slug, a.slug),
        moved('name', b.name, a.name),
        moved('code', b.code, a.code),
        moved('languages', to_json(b.languages)::varchar, to_json(a.languages)::varchar),
        moved('release_date', b.release_date::varchar, a.release_date::varchar),
        moved('card_count', b.card_count::varchar, a.card_count::varchar),
        moved('sealed_product_count', b.sealed_product_count::varchar, a.sealed_product_count::varchar),
        moved('logo_url', b.logo_url, a.logo_url),
        moved('symbol_url', b.symbol_url, a.symbol_url)
      ]
    end) as f
  from before.expansions b
  full join after.expansions a on a.expansion_id = b.expansion_id
),
documents as (
  select a.expansion_id as id, unnest([moved('attributes', b.attributes, a.attributes), moved('extra', b.extra, a.extra)]) as f
  from before.expansions b
  join after.expansions a on a.expansion_id = b.expansion_id
  where b.attributes is distinct from a.attributes or b.extra is distinct from a.extra
)
select id, change, f.field as field, f.old as old, f.new as new from pairs where f.old is distinct from f.new
union all
select id, 'modified', f.field, f.old::varchar, f.new::varchar from documents
where canonical_json(f.old) is distinct from canonical_json(f.new);

create temp table catalogue_changes as
select 'product' as entity, t.id, t.change, null::varchar as field, b.name as old, a.name as new
from touched_products t
left join before.products b on b.product_id = t.id
left join after.products a on a.product_id = t.id
where t.change <> 'modified'
union all
select 'product', id, 'modified', field, old, new from product_fields
union all
select 'expansion', id, change, field, old, new from expansion_fields;
