-- Catalogue differences between two snapshots of a game, set-wise: tables `touched_products`, `catalogue_changes`.
-- reads: schemas before and after with the tables of the two snapshots, and product_marks of each; variables product_fields and expansion_fields, the columns to
--        compare, and documents, those of them that hold JSON, and same_lists, the tables of lists that are the
--        same in both

-- Returns a JSON value as the sorted list of its leaves: ignores key order, keeps array order, and treats 1.0 as 1.
create macro canonical_json(j) as (
  select list(
    fullkey || ' ' ||
    case when type in ('UBIGINT', 'BIGINT', 'DOUBLE') then 'NUMBER ' || ((atom::varchar)::double + 0) else type || coalesce(' ' || atom::varchar, '') end
    order by fullkey
  )
  from json_tree(j)
);

-- Returns a field's text only if it is a document, because DuckDB would parse it before it evaluates a condition.
create macro document(field, value) as case when field in getvariable('documents') then value end;

create macro external_entry(finish, external_id) as
  case when finish is null then to_json(external_id) else json_object('finish', finish, 'id', external_id) end;

create macro translation(language, name, extra) as
  case when extra is null then json_object('language', language, 'name', name) else json_object('language', language, 'name', name, 'extra', extra) end;

-- Tells DuckDB not to read a list whose file is the same in both snapshots.
create macro may_differ(list_name) as not list_contains(getvariable('same_lists'), list_name);

-- Products whose mark differs, or that only one snapshot has.
create temp table touched_products as
select
  coalesce(b.product_id, a.product_id) as id,
  case when b.product_id is null then 'added' when a.product_id is null then 'removed' else 'modified' end as change
from before.product_marks b
full join after.product_marks a on a.product_id = b.product_id
where b.mark is distinct from a.mark;

-- Lists, as JSON, that differ between the snapshots: at least one entry is in only one of them.
create temp table product_lists as
with touched as (select id as product_id from touched_products where change = 'modified'),
entries as materialized (
  select 'before' as side, product_id, 'languages' as field, position, to_json(language) as entry
  from before.product_languages semi join touched using (product_id) where may_differ('product_languages')
  union all
  select 'after', product_id, 'languages', position, to_json(language)
  from after.product_languages semi join touched using (product_id) where may_differ('product_languages')
  union all
  select 'before', product_id, 'finishes', position, to_json(finish)
  from before.product_finishes semi join touched using (product_id) where may_differ('product_finishes')
  union all
  select 'after', product_id, 'finishes', position, to_json(finish)
  from after.product_finishes semi join touched using (product_id) where may_differ('product_finishes')
  union all
  select 'before', product_id, 'external_ids.' || system, position, external_entry(finish, external_id)
  from before.external_ids semi join touched using (product_id) where may_differ('external_ids')
  union all
  select 'after', product_id, 'external_ids.' || system, position, external_entry(finish, external_id)
  from after.external_ids semi join touched using (product_id) where may_differ('external_ids')
  union all
  select 'before', product_id, 'translations', row_number() over (partition by product_id order by language), translation(language, name, extra)
  from before.translations semi join touched using (product_id) where may_differ('translations')
  union all
  select 'after', product_id, 'translations', row_number() over (partition by product_id order by language), translation(language, name, extra)
  from after.translations semi join touched using (product_id) where may_differ('translations')
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

-- Fields that differ between the snapshots: documents are compared by value, others by text.
create temp table product_fields as
with touched as (select id as product_id from touched_products where change = 'modified'),
old as (
  unpivot (
    select product_id, columns(lambda name: name in getvariable('product_fields'))::varchar
    from before.products semi join touched using (product_id)
  )
  on columns(* exclude product_id) into name field value old
),
new as (
  unpivot (
    select product_id, columns(lambda name: name in getvariable('product_fields'))::varchar
    from after.products semi join touched using (product_id)
  )
  on columns(* exclude product_id) into name field value new
)
select product_id as id, field, old, new
from old full join new using (product_id, field)
where old is distinct from new
  and (field not in getvariable('documents') or canonical_json(document(field, old)) is distinct from canonical_json(document(field, new)))
union all
select id, field, old, new from product_lists;

create temp table expansion_fields as
with old as (
  unpivot (
    select expansion_id, columns(lambda name: name in getvariable('expansion_fields'))::varchar
    from (select * replace (to_json(languages) as languages) from before.expansions)
  )
  on columns(* exclude expansion_id) into name field value old
),
new as (
  unpivot (
    select expansion_id, columns(lambda name: name in getvariable('expansion_fields'))::varchar
    from (select * replace (to_json(languages) as languages) from after.expansions)
  )
  on columns(* exclude expansion_id) into name field value new
)
select expansion_id as id, field, old, new
from old full join new using (expansion_id, field)
where old is distinct from new
  and expansion_id in (select expansion_id from before.expansions semi join after.expansions using (expansion_id))
  and (field not in getvariable('documents') or canonical_json(document(field, old)) is distinct from canonical_json(document(field, new)));

create temp table catalogue_changes as
select getvariable('game_id') as game_id, getvariable('from_snapshot') as from_snapshot, getvariable('to_snapshot') as to_snapshot, *
from (
select 'product' as entity, t.id, t.change, null::varchar as field, b.name as old, a.name as new
from touched_products t
left join before.products b on b.product_id = t.id
left join after.products a on a.product_id = t.id
where t.change <> 'modified'
union all
select 'product', id, 'modified', field, old, new from product_fields
union all
select 'expansion', coalesce(b.expansion_id, a.expansion_id), case when a.expansion_id is null then 'removed' else 'added' end, null, b.name, a.name
from before.expansions b
full join after.expansions a on a.expansion_id = b.expansion_id
where b.expansion_id is null or a.expansion_id is null
union all
select 'expansion', id, 'modified', field, old, new from expansion_fields
);
