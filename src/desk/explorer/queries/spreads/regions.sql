-- Products that sell for more in the other region, after fees and shipping.
-- reads: $game, $fee, $shipping, $min_listings
select s.*, 'EUR' as eur, 'USD' as usd, p.expansion_code, p.print_number
from regional_spreads(fee_percent := $fee::double, shipping := $shipping::double, min_listings := $min_listings::bigint) s
join products p using (game_id, product_id)
where s.game_id = $game
