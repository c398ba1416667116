-- An expansion as it is.
-- reads: $game, $id
from expansions where game_id = $game and expansion_id = $id::bigint;
