-- A product that is no longer in the catalogue: its last version.
-- reads: $game, $id
select v.*, false as is_live, coalesce(v.release_date, e.release_date) as released, e.name as present_expansion
from product_history v
left join expansions e on e.game_id = v.game_id and e.expansion_id = v.expansion_id
where v.game_id = $game and v.product_id = $id::bigint
order by v.valid_from desc
limit 1;
