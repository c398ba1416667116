-- Which prices of a game moved most.
-- reads: $game, $days, $min_price, $min_listings, $source (null = both), $outliers (all, hide or only), $with_history
select *, abs(change) as size, abs(percent) as percent_size
from movers(days := $days::integer, min_price := $min_price::decimal(18, 4), min_listings := $min_listings::bigint, source_name := $source::varchar, with_history := $with_history)
where game_id = $game and case $outliers when 'hide' then not is_outlier when 'only' then is_outlier else true end
