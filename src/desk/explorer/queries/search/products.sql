-- A page of search results, the best match first. `lacks_finish` is true if the product lacks a finish of the search text.
-- reads: $said, $game (null = all), $most, $skip, $per_name (null = products one by one)
select *, coalesce(list_has_any((select flatten(list(words)) from search.finishes), string_split(missing, ' ')), false) as lacks_finish
from find_products($said, game := $game, most := $most, skip := $skip, per_name := $per_name)
order by place;
