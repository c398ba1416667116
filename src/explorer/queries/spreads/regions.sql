-- What sells for more in the other region, after fees and shipping.
-- reads: $game, $fee, $shipping, $min_listings
select *, 'EUR' as eur, 'USD' as usd
from regional_spreads(fee_percent := $fee::double, shipping := $shipping::double, min_listings := $min_listings::bigint)
where game_id = $game
