-- The value of one of every card of an expansion by day.
-- reads: $game, $id, $with_history (whether days of the service's own history count)
from set_value_series($id::bigint, with_history := $with_history::boolean) where game_id = $game
