-- source_price_history: every source price of every night
-- grain:  one row per (game_id, snapshot, product_id, finish, source)
-- absent: no row = no price that night; a product without any row: see product_history; a night without any row: see nights
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC
--   month: of seen_at, UTC, such as 2026-05
--   snapshot: the reading
--   *: as in source_prices
create view source_price_history as
select game_id, seen_at, month, snapshot, columns(lambda name: name not in ('game_id', 'seen_at', 'month', 'snapshot'))
from files.source_prices;
