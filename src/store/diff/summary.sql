-- One row: how many items changed, per entity; how the changelog's claims came out.
with items as (
  select entity, id, change, bool_or(is_catalogue) as is_catalogue, bool_or(not is_catalogue) as is_price
  from (
    select entity, id, change, true as is_catalogue from catalogue_changes
    union all
    select 'product', product_id, 'modified', false from price_moves
  )
  group by entity, id, change
)
select
  count(*) filter (entity = 'product' and change = 'added') as products_added,
  count(*) filter (entity = 'product' and change = 'removed') as products_removed,
  count(*) filter (entity = 'product' and change = 'modified') as products_modified,
  count(*) filter (entity = 'product' and change = 'modified' and is_catalogue) as products_modified_catalogue,
  count(*) filter (entity = 'product' and change = 'modified' and is_price) as products_modified_price,
  count(*) filter (entity = 'expansion' and change = 'added') as expansions_added,
  count(*) filter (entity = 'expansion' and change = 'removed') as expansions_removed,
  count(*) filter (entity = 'expansion' and change = 'modified') as expansions_modified,
  (select count(*) from reconciliations where status = 'confirmed') as confirmed,
  (select count(*) from reconciliations where status = 'claimed_not_seen') as claimed_not_seen,
  (select count(*) from reconciliations where status = 'seen_not_claimed') as seen_not_claimed,
  (select count(*) from reconciliations where status <> 'confirmed' and explanation is null) as unexplained,
  (select count(*) from reconciliations where explanation = 'by_count') as by_count,
  (select count(*) from reconciliations where entity = 'product' and seen = 'removed' and status = 'seen_not_claimed'
    and explanation is distinct from 'by_count') as unclaimed_removals,
  (select count(*) from contradictions) as contradictions
from items;
