-- Without these indexes, a lookup of files of several days reads every row of the catalogue. Catalogues of earlier versions lack them.
create index if not exists cardlake_joined_file on ducklake_data_file (table_id) where partition_id is null;
create index if not exists cardlake_file_stats on ducklake_file_column_stats (data_file_id, column_id);
