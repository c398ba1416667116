-- An expansion as it is, and how many of the game have its code.
-- reads: $game, $id
select e.*, (select count(*) from expansions o where o.game_id = e.game_id and lower(o.code) = lower(e.code)) as alike
from expansions e where e.game_id = $game and e.expansion_id = $id::bigint;
