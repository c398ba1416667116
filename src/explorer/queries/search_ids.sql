-- Products that may have exactly this id: their own, or one in another system. Two ids may share a hash.
-- reads: memory.search_ids; $game (null = all), $text, $id (the text as a product id; null = it is not one)
with found as (
  select game_id, product_id from memory.main.search_ids where id_hash = hash($text::varchar)
  union
  select game_id, product_id from products where product_id = $id::bigint
)
select game_id, product_id from found where $game is null or game_id = $game
order by game_id, product_id
limit 50;
