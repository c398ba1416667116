-- Products that have exactly this id: their own, or one in another system.
-- reads: memory.search_ids; $game (null = all), $text, $id (the text as a product id; null = it is none)
with found as (
  select game_id, product_id, 'product' as system, null as finish from products where product_id = $id::bigint
  union all
  select game_id, product_id, e.system, e.finish
  from memory.main.search_ids s join external_ids e using (game_id, product_id)
  where s.id_hash = hash($text::varchar) and e.external_id = $text::varchar
)
select distinct f.game_id, f.product_id, p.name, p.expansion_name, f.system, f.finish
from found f join products p on p.game_id = f.game_id and p.product_id = f.product_id
where f.game_id = coalesce($game, f.game_id)
order by f.system <> 'product', f.game_id, f.product_id, f.system, f.finish
limit 50;
