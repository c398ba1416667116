-- reused_ids: ids that now belong to a different product: prices before and after are not comparable
-- grain:  one row per (game_id, product_id, snapshot)
-- reads:  reused_ids of the lake
-- absent: no row = the id always belonged to the same product, judging by its fields and external ids
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the id; snapshot_id is the first reading that found another product under it
--   changed varchar: fields that differ from the previous product, sorted and comma-separated
select game_id, snapshot, product_id, array_to_string(changed, ',') as changed
from reused_ids
