-- External ids that one night added and removed, for views/id_audit.sql.
-- reads: view night_ids, the night's external_id_versions
create view external_id_history as
select
  * exclude (change),
  timestamptz '2000-01-01' as valid_from,
  case when change = 'removed' then timestamptz '2000-01-01' end as valid_to
from night_ids;
