-- Current files of several days of a table: all, or those that may have a day; is_cut: another program deleted rows of the file.
-- They have no partition, but are in the folder of their game.
select
  file.data_file_id as id,
  substr(file.path, 9, instr(substr(file.path, 9), '/') - 1) as game,
  null as dt,
  file.path,
  file.path_is_relative as is_relative,
  file.record_count as "rows",
  file.file_size_bytes as bytes,
  days.min_value as first_day,
  exists (
    select 1 from ducklake_delete_file cut where cut.data_file_id = file.data_file_id and cut.end_snapshot is null
  ) as is_cut
from ducklake_data_file file
left join ducklake_file_column_stats days on days.data_file_id = file.data_file_id and days.column_id = :dayColumn
where file.table_id = :tableId
  and file.partition_id is null
  and file.end_snapshot is null
  and file.path like 'game\_id=%' escape '\'
  and (:dt is null or (coalesce(days.min_value, :dt) <= :dt and coalesce(days.max_value, :dt) >= :dt))
