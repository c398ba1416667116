-- The first catalogue changes between two snapshots, with the later name of each item. Variable: rows_shown.
with first as (from catalogue_changes order by entity, change, id, field limit getvariable('rows_shown')),
products as (select id from first where entity = 'product'),
names as (
  select 'product' as entity, product_id as id, 0 as age, name from after.products where product_id in (from products)
  union all select 'product', product_id, 1, name from before.products where product_id in (from products)
  union all select 'expansion', expansion_id, 0, name from after.expansions
  union all select 'expansion', expansion_id, 1, name from before.expansions
)
select entity, c.id::varchar as id, change, field, old, new,
  (select arg_min(name, age) from names n where n.entity = c.entity and n.id = c.id) as name
from first c order by entity, change, c.id, field
