-- source_price_history: every source price of every night, and what the marketplace's own price history says of days without a reading of ours
-- grain:  one row per (game_id, seen_at, product_id, finish, source)
-- reads:  backfilled_prices, readings
-- absent: no row = no price that night; a product without any row: see product_history; a night without any row: see nights. Where origin = 'history', no row = the service says nothing of that day, or was not asked (backfills)
-- columns:
--   game_id: the game's id
--   seen_at: when the prices were read, UTC; of a day in the service's history, its beginning
--   month: of seen_at, UTC, such as 2026-05
--   snapshot: the reading; null = none of ours: the service's history
--   origin: night = we read it; history = the service says so of a day on which we read nothing of the game. On other days ours count alone (backfill_against_nights compares)
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
