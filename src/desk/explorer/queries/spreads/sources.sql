-- Products that the marketplace sells below or above the market value of the price source.
-- reads: $game, $min_price, $min_listings
select s.*, p.expansion_code, p.print_number
from source_against_marketplace s join products p using (game_id, product_id)
where s.game_id = $game and greatest(s.market_value, s.marketplace_low) >= $min_price::decimal(18, 4)
  and s.listing_count >= $min_listings::bigint
