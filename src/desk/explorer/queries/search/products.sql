-- A page of search results, the best match first.
-- reads: $said, $game (null = all), $most, $skip
from find_products($said, game := $game, most := $most, skip := $skip)
order by place;
