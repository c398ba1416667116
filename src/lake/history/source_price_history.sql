-- source_price_history: every source price of every night
-- grain:  one row per (game_id, snapshot, product_id, finish, source)
-- absent: no row = no price that night; a product without any row: see product_history; a night without any row: see nights
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC
--   month: of seen_at, UTC, as 2026-05
--   kept_in: which file holds the row, as in nights: join with both
--   snapshot: the reading
--   product_id: the product's id
--   finish: such as Standard or Foil; sealed products sit under Standard
--   source: sourceEur or sourceUsd
--   currency: of low, mid, high and market_value: EUR for sourceEur, USD for sourceUsd
--   low: lowest price, major unit; null = not given
--   mid: middle price, major unit; null = not given
--   high: highest price, major unit; null = not given
--   market_value: the source's market value, major unit; null = not given
--   change_24h: percent of market_value against a day ago, as the feed says; null = history too short
--   change_7d: percent against 7 days ago, as the feed says; null = history too short
--   change_30d: percent against 30 days ago, as the feed says; null = history too short
--   extra: JSON object of the block's keys that the contract does not know; null = none
create view source_price_history as
select game_id, seen_at, month, kept_in, snapshot, product_id, finish, source, currency, low, mid, high, market_value, change_24h, change_7d, change_30d, extra
from files.source_prices;
