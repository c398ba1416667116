-- An expansion, and the number of the game's expansions with its code.
-- reads: $game, $id
select e.*, (select count(*) from expansions o where o.game_id = e.game_id and lower(o.code) = lower(e.code)) as alike
from expansions e where e.game_id = $game and e.expansion_id = $id::bigint;
