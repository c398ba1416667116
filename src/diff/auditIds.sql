-- The tables that views/id_audit.sql asks, as one night sees them: schema `audited` holds its snapshot, and as the history of external
-- ids what this night added and took away.
-- reads: schema after; view night_ids, the night's external_id_versions
create schema audited;
create view audited.external_ids as from after.external_ids;
create view audited.product_finishes as from after.product_finishes;
create view audited.source_prices as from after.source_prices;
create view audited.external_id_history as
select
  * exclude (change),
  timestamptz '2000-01-01' as valid_from,
  case when change = 'removed' then timestamptz '2000-01-01' end as valid_to
from night_ids;
