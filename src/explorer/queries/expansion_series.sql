-- What one of every card of an expansion was worth, day by day; without a reading, by the service's own history.
-- reads: $game, $id
select 'Value of one of every card' as chart, source, '' as finish, day::varchar as day, currency, value::varchar as price, origin
from set_value_series($id::bigint, with_history := true)
where game_id = $game
order by source, day;
