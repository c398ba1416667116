-- When a product was first read.
-- reads: $game, $id
select min(valid_from) as first_seen from product_history where game_id = $game and product_id = $id::bigint;
