-- Filtered changes between two snapshots, each with the item's name.
-- reads: the difference's changes, schemas before and after; $entity, $class, $change (all = every one), $field (a part of it)
with chosen as (
  from changes
  where ($entity = 'all' or entity = $entity) and ($class = 'all' or class = $class) and ($change = 'all' or change = $change)
    and ($field = '' or contains(lower(coalesce(field, '')), lower($field)))
),
names as (
  select 'product' as entity, coalesce(a.product_id, b.product_id) as id, coalesce(a.name, b.name) as name
  from after.products a full join before.products b on b.product_id = a.product_id
  union all
  select 'expansion', coalesce(a.expansion_id, b.expansion_id), coalesce(a.name, b.name)
  from after.expansions a full join before.expansions b on b.expansion_id = a.expansion_id
)
select c.entity, c.id, n.name, c.change, c.class, c.field, c.old, c.new
from chosen c left join names n on n.entity = c.entity and n.id = c.id
