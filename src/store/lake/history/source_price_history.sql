-- source_price_history: every source price of every night, and prices of the marketplace's own price history for days without a reading
-- grain:  one row per (game_id, seen_at, product_id, finish, source)
-- reads:  backfilled_prices, readings
-- absent: no row = no price that night; for products see product_history, for nights see nights; with origin = 'history', no row = the marketplace's history has nothing of that day, or it was not requested (backfills)
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC; start of the day if they are from the marketplace's history
--   month: UTC month of seen_at, such as 2026-05
--   snapshot: the reading; null = from the marketplace's history
--   origin: night = read by us; history = from the marketplace's history, for a day without a reading of the game. For other days only our readings are used (backfill_against_nights compares both)
--   *: as in source_prices
create view source_price_history as
select game_id, seen_at, month, snapshot, 'night' as origin,
  columns(lambda name: name not in ('game_id', 'seen_at', 'month', 'snapshot'))
from files.source_prices
union all by name
select game_id, day::timestamp at time zone 'UTC' as seen_at, strftime(day, '%Y-%m') as month, null::varchar as snapshot, 'history' as origin,
  product_id, finish, source, currency, low, mid, high, market_value, extra
from files.backfilled_prices h
where not exists (from readings r where r.game_id = h.game_id and r.day = h.day);
