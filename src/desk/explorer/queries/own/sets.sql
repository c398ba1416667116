-- The expansions of which I have the most cards, with the number of expansions.
-- reads: $collection (null = all)
with mine as (
  select distinct game_id, product_id from collection_cards
  where list_kind = 'collection' and not is_proxy and product_id is not null and ($collection is null or collection = $collection)
)
select p.game_id, p.expansion_id, any_value(p.expansion_name) as expansion, count(*) as cards, count(m.product_id) as mine, count(*) - count(m.product_id) as lacking,
  round(try_cast(100.0 * count(m.product_id) / count(*) as decimal(38, 10)), 2)::double as percent
from products p
left join mine m on m.game_id = p.game_id and m.product_id = p.product_id
where p.product_type = 'card' and p.expansion_id is not null
group by p.game_id, p.expansion_id
having count(m.product_id) > 0
order by percent desc, mine desc, p.expansion_id
limit 20
