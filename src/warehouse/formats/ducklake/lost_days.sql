-- Days of a table that Cardlake wrote, that another program removed, and that have no file now.
select distinct game.partition_value as game, day.partition_value as dt
from ducklake_data_file file
join ducklake_file_partition_value day on day.data_file_id = file.data_file_id and day.partition_key_index = 1
join ducklake_file_partition_value game on game.data_file_id = file.data_file_id and game.partition_key_index = 0
join ducklake_snapshot_changes taken on taken.snapshot_id = file.end_snapshot and taken.author is not 'Cardlake'
where file.table_id = :tableId
  and not exists (
    select 1
    from ducklake_data_file later
    join ducklake_file_partition_value later_day
      on later_day.data_file_id = later.data_file_id and later_day.partition_key_index = 1
    join ducklake_file_partition_value later_game
      on later_game.data_file_id = later.data_file_id and later_game.partition_key_index = 0
    where later.table_id = file.table_id
      and later_day.partition_value = day.partition_value
      and later_game.partition_value = game.partition_value
      and (later.end_snapshot is null or later.begin_snapshot > file.begin_snapshot)
  )
