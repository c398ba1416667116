-- Where the two price sources differ.
-- reads: $game, $min_price
select *, abs(percent) as percent_size, 'EUR' as in_eur, 'USD' as in_usd
from source_against_source
where game_id = $game and greatest(eur, coalesce(usd_in_eur, eur)) >= $min_price::decimal(18, 4)
