-- Current files of a table, by the game and day of their partition; is_cut: another program deleted rows of the file.
select
  file.data_file_id as id,
  game.partition_value as game,
  day.partition_value as dt,
  day.partition_value as first_day,
  file.path,
  file.path_is_relative as is_relative,
  file.record_count as "rows",
  file.file_size_bytes as bytes,
  exists (
    select 1 from ducklake_delete_file cut where cut.data_file_id = file.data_file_id and cut.end_snapshot is null
  ) as is_cut
from ducklake_file_partition_value day
join ducklake_file_partition_value game
  on game.data_file_id = day.data_file_id and game.table_id = day.table_id and game.partition_key_index = 0
join ducklake_data_file file on file.data_file_id = day.data_file_id
where day.table_id = :tableId
  and day.partition_key_index = 1
  and (day.partition_value = :dt or :dt is null)
  and file.end_snapshot is null
