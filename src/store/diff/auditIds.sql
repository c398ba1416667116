-- The history of external ids as one night sees it, for views/id_audit.sql: what the night added and what it took away.
-- reads: view night_ids, the night's external_id_versions
create view external_id_history as
select
  * exclude (change),
  timestamptz '2000-01-01' as valid_from,
  case when change = 'removed' then timestamptz '2000-01-01' end as valid_to
from night_ids;
