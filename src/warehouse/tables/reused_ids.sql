-- reused_ids: ids that have passed to another product: prices before and after are of two different things
-- grain:  one row per (game_id, product_id, snapshot)
-- reads:  reused_ids of the lake
-- absent: no row = the id has always stood for the same product, as far as its fields and ids in other systems tell
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the id; snapshot_id is the first reading that found another product under it
--   changed varchar: fields that differ from the product before, sorted, with commas between them
select game_id, snapshot, product_id, array_to_string(changed, ',') as changed
from reused_ids
