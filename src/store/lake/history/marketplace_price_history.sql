-- marketplace_price_history: live listings of the marketplace on every night
-- grain:  one row per (game_id, snapshot, product_id, finish, region)
-- absent: no row = nothing in stock that night
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC
--   month: UTC month of seen_at, such as 2026-05
--   snapshot: the reading
--   *: as in marketplace_prices
create view marketplace_price_history as
select game_id, seen_at, month, snapshot, columns(lambda name: name not in ('game_id', 'seen_at', 'month', 'snapshot'))
from files.marketplace_prices;
