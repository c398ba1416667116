-- Moves of the last week in a set.
-- reads: memory.week_moves; $game, $expansion (a code, or an id)
from memory.main.week_moves
where greatest(old, new) >= 1 and game_id = $game and product_id in (
  select product_id from products where game_id = $game and (lower(expansion_code) = lower($expansion) or expansion_id::varchar = $expansion)
)
