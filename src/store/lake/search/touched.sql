-- touched_products: products of which a search may find something else than before the last night
-- grain:  one row per (game_id, product_id)
-- reads:  products; variables product_versions and expansion_versions, the files of that night
create or replace temporary table touched_products as
select game_id, product_id from read_parquet(getvariable('product_versions'), hive_partitioning = false, union_by_name = true)
union
-- A product has the release date of its expansion.
select game_id, product_id
from products
semi join read_parquet(getvariable('expansion_versions'), hive_partitioning = false, union_by_name = true) using (game_id, expansion_id);
