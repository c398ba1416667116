-- Price differences between the two price sources.
-- reads: $game, $min_price
select s.*, abs(s.percent) as percent_size, 'EUR' as in_eur, 'USD' as in_usd, p.expansion_code, p.print_number
from source_against_source s join products p using (game_id, product_id)
where s.game_id = $game and greatest(s.eur, coalesce(s.usd_in_eur, s.eur)) >= $min_price::decimal(18, 4)
