-- The rows of values.sql, from the values computed for every expansion.
-- reads: $game, $id, memory.set_values_by_day
from memory.main.set_values_by_day where game_id = $game and expansion_id = $id::bigint
