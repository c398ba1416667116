-- Listings of a product at the marketplace, by region.
-- reads: $game, $id
select finish, coalesce(region, 'all') as region, currency, low, listing_count, available_quantity
from marketplace_prices
where game_id = $game and product_id = $id::bigint
order by region nulls first, finish;
