-- Where the marketplace sells below or above what the price source says.
-- reads: $game, $min_price, $min_listings
select *
from source_against_marketplace
where game_id = $game and greatest(market_value, marketplace_low) >= $min_price::decimal(18, 4) and listing_count >= $min_listings::bigint
