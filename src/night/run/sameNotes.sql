-- In how many rows the refusals and the drift of two snapshots differ, whatever the words of their records: a refused record counts by its
-- place, an unknown key by how many records have it. Not of the changelog: a later reading begins where an earlier one ended.
-- reads: schemas before and after
with before_notes as (
  select list, record_id, position, null::bigint as records from before.refusals where list <> 'changelog'
  union all
  select kind || ' ' || place, case when kind <> 'key' then word end, null, records from before.drift where place <> 'changelog'
),
after_notes as (
  select list, record_id, position, null::bigint as records from after.refusals where list <> 'changelog'
  union all
  select kind || ' ' || place, case when kind <> 'key' then word end, null, records from after.drift where place <> 'changelog'
)
select count(*) as apart
from (
  (from before_notes except all from after_notes)
  union all
  (from after_notes except all from before_notes)
);
