-- The tables of a DuckLake catalogue, version 1.0, in SQLite. Some of them are used only by other programs.
create table ducklake_column (
  column_id bigint, begin_snapshot bigint, end_snapshot bigint, table_id bigint, column_order bigint,
  column_name varchar, column_type varchar, initial_default varchar, default_value varchar, nulls_allowed bigint,
  parent_column bigint, default_value_type varchar, default_value_dialect varchar
);
create table ducklake_column_mapping (mapping_id bigint, table_id bigint, type varchar);
create table ducklake_column_tag (
  table_id bigint, column_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar
);
create table ducklake_data_file (
  data_file_id bigint primary key, table_id bigint, begin_snapshot bigint, end_snapshot bigint, file_order bigint,
  path varchar, path_is_relative bigint, file_format varchar, record_count bigint, file_size_bytes bigint,
  footer_size bigint, row_id_start bigint, partition_id bigint, encryption_key varchar, mapping_id bigint,
  partial_max bigint
);
create table ducklake_delete_file (
  delete_file_id bigint primary key, table_id bigint, begin_snapshot bigint, end_snapshot bigint,
  data_file_id bigint, path varchar, path_is_relative bigint, format varchar, delete_count bigint,
  file_size_bytes bigint, footer_size bigint, encryption_key varchar, partial_max bigint
);
create table ducklake_file_column_stats (
  data_file_id bigint, table_id bigint, column_id bigint, column_size_bytes bigint, value_count bigint,
  null_count bigint, min_value varchar, max_value varchar, contains_nan bigint, extra_stats varchar
);
create table ducklake_file_partition_value (
  data_file_id bigint, table_id bigint, partition_key_index bigint, partition_value varchar
);
create table ducklake_file_variant_stats (
  data_file_id bigint, table_id bigint, column_id bigint, variant_path varchar, shredded_type varchar,
  column_size_bytes bigint, value_count bigint, null_count bigint, min_value varchar, max_value varchar,
  contains_nan bigint, extra_stats varchar
);
create table ducklake_files_scheduled_for_deletion (
  data_file_id bigint, path varchar, path_is_relative bigint, schedule_start varchar
);
create table ducklake_inlined_data_tables (table_id bigint, table_name varchar, schema_version bigint);
create table ducklake_macro (
  schema_id bigint, macro_id bigint, macro_name varchar, begin_snapshot bigint, end_snapshot bigint
);
create table ducklake_macro_impl (macro_id bigint, impl_id bigint, dialect varchar, sql varchar, type varchar);
create table ducklake_macro_parameters (
  macro_id bigint, impl_id bigint, column_id bigint, parameter_name varchar, parameter_type varchar,
  default_value varchar, default_value_type varchar
);
create table ducklake_metadata (key varchar not null, value varchar not null, scope varchar, scope_id bigint);
create table ducklake_name_mapping (
  mapping_id bigint, column_id bigint, source_name varchar, target_field_id bigint, parent_column bigint,
  is_partition bigint
);
create table ducklake_partition_column (
  partition_id bigint, table_id bigint, partition_key_index bigint, column_id bigint, transform varchar
);
create table ducklake_partition_info (
  partition_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint
);
create table ducklake_schema (
  schema_id bigint primary key, schema_uuid varchar, begin_snapshot bigint, end_snapshot bigint,
  schema_name varchar, path varchar, path_is_relative bigint
);
create table ducklake_schema_versions (begin_snapshot bigint, schema_version bigint, table_id bigint);
create table ducklake_snapshot (
  snapshot_id bigint primary key, snapshot_time varchar, schema_version bigint, next_catalog_id bigint,
  next_file_id bigint
);
create table ducklake_snapshot_changes (
  snapshot_id bigint primary key, changes_made varchar, author varchar, commit_message varchar,
  commit_extra_info varchar
);
create table ducklake_sort_expression (
  sort_id bigint, table_id bigint, sort_key_index bigint, expression varchar, dialect varchar,
  sort_direction varchar, null_order varchar
);
create table ducklake_sort_info (sort_id bigint, table_id bigint, begin_snapshot bigint, end_snapshot bigint);
create table ducklake_table (
  table_id bigint, table_uuid varchar, begin_snapshot bigint, end_snapshot bigint, schema_id bigint,
  table_name varchar, path varchar, path_is_relative bigint
);
create table ducklake_table_column_stats (
  table_id bigint, column_id bigint, contains_null bigint, contains_nan bigint, min_value varchar,
  max_value varchar, extra_stats varchar
);
create table ducklake_table_stats (table_id bigint, record_count bigint, next_row_id bigint, file_size_bytes bigint);
create table ducklake_tag (object_id bigint, begin_snapshot bigint, end_snapshot bigint, key varchar, value varchar);
create table ducklake_view (
  view_id bigint, view_uuid varchar, begin_snapshot bigint, end_snapshot bigint, schema_id bigint,
  view_name varchar, dialect varchar, sql varchar, column_aliases varchar
);
-- Without these indexes, a lookup of a day reads every row of the catalogue.
create index cardlake_partition_value on ducklake_file_partition_value (table_id, partition_value);
create index cardlake_partition_file on ducklake_file_partition_value (data_file_id);
