-- A page of what a search finds, the best first.
-- reads: $said, $game (null = all), $most, $skip
from find_products($said, game := $game, most := $most, skip := $skip)
order by place;
