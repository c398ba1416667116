-- Finds products that moved to another id, set-wise: tables `removed_products`, `added_products` and `identities`, one row per product
-- that is more than a plain removal, addition or edit. Ambiguous matches are not reported.
-- reads: touched_products, catalogue_changes; macros of lake/history/is_another.sql; schemas before and after with the tables of the two
--        snapshots
-- identities:
--   kind: replaced = `id` was removed and `new_id` is the same card under a new id; merged = `id` was removed and `new_id`, which already
--     existed, is the same card; reused = `id` now identifies another product, `new_id` equals `id`
--   known_by: what `id` and `new_id` have in common: print (expansion, print number, variant, kind and name or slug), or the systems whose
--     external ids say so; null = reused

create temp table removed_products as
select product_id, product_type, product_category, name, name_slug, expansion_id, expansion_name, print_number, variant
from before.products where product_id in (select id from touched_products where change = 'removed');

create temp table added_products as
select product_id, product_type, product_category, name, name_slug, expansion_id, expansion_name, print_number, variant
from after.products where product_id in (select id from touched_products where change = 'added');

create temp table reused_ids as
with edited as (
  select id as product_id, list(field) as changed from catalogue_changes
  where entity = 'product' and change = 'modified'
  group by id
  having may_be_another(list(field))
),
ids as (
  select product_id, list({system: system, id: external_id}) filter (was) as before,
    list({system: system, id: external_id}) filter (not was) as after
  from (
    select true as was, product_id, system, external_id from before.external_ids semi join edited using (product_id)
    union all
    select false, product_id, system, external_id from after.external_ids semi join edited using (product_id)
  )
  where system <> 'mtgOracleId'
  group by product_id
)
select product_id
from edited left join ids using (product_id)
where is_another(changed, coalesce(before, []), coalesce(after, []));

-- External ids of removed products, without mtgOracleId, which all printings of a card share.
create temp table lost_ids as
select product_id, system, coalesce(finish, '') as finish, external_id
from before.external_ids
where product_id in (select product_id from removed_products) and system <> 'mtgOracleId';

-- External ids that products did not have before.
create temp table taken_ids as
with takers as (
  select product_id from added_products
  union
  select id from catalogue_changes where entity = 'product' and change = 'modified' and field like 'external_ids.%'
  except
  select product_id from reused_ids
)
select product_id, system, coalesce(finish, '') as finish, external_id
from after.external_ids where product_id in (from takers)
except
select product_id, system, coalesce(finish, ''), external_id
from before.external_ids where product_id in (from takers);

-- Removed products and remaining ones with the same print.
create temp table doubles as
with kept as (
  select product_id, product_type, product_category, name, expansion_id, print_number, variant
  from after.products
  where name in (select name from removed_products)
    and product_id not in (select product_id from added_products union select product_id from reused_ids)
)
select o.product_id as old_id, n.product_id as new_id
from removed_products o
join kept n
  on n.name = o.name and n.product_type = o.product_type and n.product_category is not distinct from o.product_category
    and n.expansion_id is not distinct from o.expansion_id and n.print_number is not distinct from o.print_number
    and n.variant is not distinct from o.variant;

create temp table identities as
with cards as (
  select 'old' as side, *, unnest([{part: 'name', text: name}, {part: 'slug', text: name_slug}]) as called from removed_products
  union all
  select 'new', *, unnest([{part: 'name', text: name}, {part: 'slug', text: name_slug}]) from added_products
),
same_print as (
  select any_value(product_id) filter (side = 'old') as old_id, any_value(product_id) filter (side = 'new') as new_id, 'print' as known_by
  from cards
  group by product_type, product_category, expansion_id, print_number, variant, called
  having count(*) filter (side = 'old') = 1 and count(*) filter (side = 'new') = 1
),
-- External ids that moved to one product. A new product has one predecessor; a remaining one may absorb several.
same_id as (
  select unnest(list(distinct l.product_id)) as old_id, any_value(t.product_id) as new_id, system as known_by
  from lost_ids l
  join taken_ids t using (system, finish, external_id)
  group by system, finish, external_id
  having count(distinct t.product_id) = 1
    and (count(distinct l.product_id) = 1 or any_value(t.product_id) not in (select product_id from added_products))
),
passed_on as (from same_print union all from same_id),
-- Without a moved id: both products already had the external id, and the remaining one is the duplicate.
same_double as (
  select old_id, new_id, system as known_by
  from doubles
  join lost_ids l on l.product_id = old_id
  join after.external_ids a using (system, external_id)
  where a.product_id = new_id and coalesce(a.finish, '') = l.finish and a.product_id in (select new_id from doubles)
    and old_id not in (select old_id from passed_on)
),
pairs as (
  select old_id, new_id, string_agg(distinct known_by, ', ' order by known_by) as known_by
  from (from passed_on union all from same_double)
  group by old_id, new_id
),
counted as (
  select
    *,
    case when new_id in (select product_id from added_products) then 'replaced' else 'merged' end as kind,
    count(*) over (partition by old_id) as heirs,
    count(*) over (partition by new_id) as origins
  from pairs
)
select kind, old_id as id, new_id, known_by from counted where heirs = 1 and (kind = 'merged' or origins = 1)
union all
select 'reused', product_id, product_id, null from reused_ids;
