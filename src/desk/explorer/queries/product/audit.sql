-- Ids of a product that look wrong.
-- reads: judged (rows of judged.sql); $game, $id
select kind, system, finish, external_id, detail
from judged
where judged <> 'not wrong' and game_id = $game and product_id = $id::bigint
order by kind, system, finish, external_id
