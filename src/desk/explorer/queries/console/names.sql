-- The names that a query can use: every column of the lake's tables and views, and its macros, whose columns are not in DuckDB's catalogue.
select table_name as name, column_name as "column", data_type as type, column_index as place
from duckdb_columns()
where database_name = current_database() and schema_name = 'main' and not internal
union all
select distinct function_name, null, null, 0
from duckdb_functions()
where database_name = current_database() and schema_name = 'main' and function_type = 'table_macro' and not internal
order by name, place;
