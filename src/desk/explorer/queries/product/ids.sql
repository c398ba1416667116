-- Ids of a product in other systems, with the time they were valid; the current ones come first.
-- reads: $game, $id
select system, finish, external_id, valid_from, valid_to
from external_id_history
where game_id = $game and product_id = $id::bigint
order by valid_to is not null, system, finish nulls first, valid_to desc, external_id;
