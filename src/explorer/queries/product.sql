-- A product as it is, or as it was when it was last in the catalogue.
-- reads: $game, $id
with versions as (from product_history where game_id = $game and product_id = $id::bigint)
select v.*, p.product_id is not null as is_live, (select min(valid_from) from versions) as first_seen, e.name as present_expansion
from versions v
left join products p on p.game_id = v.game_id and p.product_id = v.product_id
left join expansions e on e.game_id = v.game_id and e.expansion_id = v.expansion_id
order by v.valid_from desc
limit 1;
