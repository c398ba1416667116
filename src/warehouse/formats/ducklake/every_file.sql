-- Files of every snapshot and every table, below the data path, except those with absolute paths.
with files as (
  select table_id, path, path_is_relative from ducklake_data_file
  union all
  select table_id, path, path_is_relative from ducklake_delete_file
)
select
  case when t.path_is_relative = 1 and s.path_is_relative = 1 then s.path else '' end || t.path || f.path as path
from files f
join ducklake_table t on t.table_id = f.table_id
join ducklake_schema s on s.schema_id = t.schema_id
where f.path_is_relative = 1
union
select path from ducklake_files_scheduled_for_deletion where path_is_relative = 1
