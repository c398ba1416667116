-- The current version of a product in the catalogue.
-- reads: $game, $id
select p.*, true as is_live, coalesce(p.release_date, e.release_date) as released, null as valid_to, e.name as present_expansion,
  (select list(language order by position) from product_languages where game_id = $game and product_id = $id::bigint) as languages,
  (select list(finish order by position) from product_finishes where game_id = $game and product_id = $id::bigint) as finishes
from products p
left join expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
where p.game_id = $game and p.product_id = $id::bigint;
