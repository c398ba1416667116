-- The same from what was found of every expansion at once.
-- reads: $game, $id, memory.set_values_by_day
from memory.main.set_values_by_day where game_id = $game and expansion_id = $id::bigint
