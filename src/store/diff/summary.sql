-- One JSON document: how many items changed, per entity; how the changelog's claims came out.
with items as (
  select entity, id, change, bool_or(is_catalogue) as is_catalogue, bool_or(not is_catalogue) as is_price
  from (
    select entity, id, change, true as is_catalogue from catalogue_changes
    union all
    select 'product', product_id, 'modified', false from price_moves
  )
  group by entity, id, change
)
select to_json({
  "changes": {
    "products": {
      "added": count(*) filter (entity = 'product' and change = 'added'),
      "removed": count(*) filter (entity = 'product' and change = 'removed'),
      "modified": count(*) filter (entity = 'product' and change = 'modified'),
      "modifiedCatalogue": count(*) filter (entity = 'product' and change = 'modified' and is_catalogue),
      "modifiedPrice": count(*) filter (entity = 'product' and change = 'modified' and is_price)
    },
    "expansions": {
      "added": count(*) filter (entity = 'expansion' and change = 'added'),
      "removed": count(*) filter (entity = 'expansion' and change = 'removed'),
      "modified": count(*) filter (entity = 'expansion' and change = 'modified'),
      "modifiedCatalogue": count(*) filter (entity = 'expansion' and change = 'modified'),
      "modifiedPrice": 0
    }
  },
  "unclaimedRemovals": (select count(*) from reconciliations where entity = 'product' and seen = 'removed'
    and status = 'seen_not_claimed' and explanation is distinct from 'by_count'),
  "contradictions": (select count(*) from contradictions),
  "reconciliation": {
    "confirmed": (select count(*) from reconciliations where status = 'confirmed'),
    "claimedNotSeen": (select count(*) from reconciliations where status = 'claimed_not_seen'),
    "seenNotClaimed": (select count(*) from reconciliations where status = 'seen_not_claimed'),
    "unexplained": (select count(*) from reconciliations where status <> 'confirmed' and explanation is null),
    "byCount": (select count(*) from reconciliations where explanation = 'by_count')
  }
})::varchar as counts
from items;
