-- Ids of a product that look wrong.
-- reads: memory.findings; $game, $id
select kind, system, finish, external_id, detail
from memory.main.findings
where game_id = $game and product_id = $id::bigint
order by kind, system, finish, external_id;
