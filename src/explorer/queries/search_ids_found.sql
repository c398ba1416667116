-- Which of these products have exactly this id, and in which system.
-- reads: $ids (their product ids), $game (null = all), $text
with listed as (
  select game_id, product_id, 'product' as system, null as finish
  from products where product_id in (select unnest($ids::bigint[])) and product_id::varchar = $text::varchar
  union
  select game_id, product_id, system, finish
  from external_ids where product_id in (select unnest($ids::bigint[])) and external_id = $text::varchar
)
select l.game_id, l.product_id, p.name, p.expansion_name, l.system, l.finish
from listed l
join (from products where product_id in (select unnest($ids::bigint[]))) p on p.game_id = l.game_id and p.product_id = l.product_id
where $game is null or l.game_id = $game
order by l.system <> 'product', l.game_id, l.product_id, l.system, l.finish;
