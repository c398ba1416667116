-- marketplace_price_history: the marketplace's own live listings of every night
-- grain:  one row per (game_id, snapshot, product_id, finish, region)
-- absent: no row = nothing in stock that night
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC
--   month: of seen_at, UTC, as 2026-05
--   kept_in: which file holds the row, as in nights: join with both
--   snapshot: the reading
--   product_id: the product's id
--   finish: such as Standard or Foil; sealed products sit under Standard
--   region: eu or na; null = all regions, where low is the cheapest anywhere, converted to EUR by the marketplace
--   currency: of low: EUR in eu, USD in na
--   low: lowest price, major unit
--   listing_count: live listings
--   available_quantity: units for sale
--   extra: JSON object of the block's, or the region's, keys that the contract does not know; null = none
create view marketplace_price_history as
select game_id, seen_at, month, kept_in, snapshot, product_id, finish, region, currency, low, listing_count, available_quantity, extra
from files.marketplace_prices;
