-- What one of every card of an expansion was worth, day by day.
-- reads: $game, $id
select 'Value of one of every card' as chart, source, '' as finish, day::varchar as day, currency, value::varchar as price
from set_value_series($id::bigint)
where game_id = $game
order by source, day;
