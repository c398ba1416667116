-- One row: how many items changed, per entity; how the changelog's claims came out.
with items as (
  select entity, id, change, true as catalogue from catalogue_changes
  union
  select 'product', product_id, 'modified', false from price_moves
)
select
  count(distinct id) filter (entity = 'product' and change = 'added') as products_added,
  count(distinct id) filter (entity = 'product' and change = 'removed') as products_removed,
  count(distinct id) filter (entity = 'product' and change = 'modified') as products_modified,
  count(distinct id) filter (entity = 'product' and change = 'modified' and catalogue) as products_modified_catalogue,
  count(distinct id) filter (entity = 'product' and change = 'modified' and not catalogue) as products_modified_price,
  count(distinct id) filter (entity = 'expansion' and change = 'added') as expansions_added,
  count(distinct id) filter (entity = 'expansion' and change = 'removed') as expansions_removed,
  count(distinct id) filter (entity = 'expansion' and change = 'modified') as expansions_modified,
  (select count(*) from reconciliations where status = 'confirmed') as confirmed,
  (select count(*) from reconciliations where status = 'claimed_not_seen') as claimed_not_seen,
  (select count(*) from reconciliations where status = 'seen_not_claimed') as seen_not_claimed,
  (select count(*) from reconciliations where status <> 'confirmed' and explanation is null) as unexplained,
  (select count(*) from reconciliations where explanation = 'by_count') as by_count,
  (select count(*) from reconciliations where entity = 'product' and seen = 'removed' and status = 'seen_not_claimed'
    and explanation is distinct from 'by_count') as unclaimed_removals,
  (select count(*) from contradictions) as contradictions
from items;
