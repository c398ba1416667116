-- price_extremes: Which prices are at their highest or lowest, and how far are the others from it?
-- grain:  one row per (game_id, product_id, finish, source, currency)
-- takes:  days: number of days before the last reading, default null = all; with_history: true = include days of the marketplace's own history as readings, default false
-- view:   of all readings
-- absent: prices of another product that had the id before (reused_ids)
-- example: from price_extremes(days := 90)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the prices; a source that changed its currency has a row for each
--   high: highest market value
--   high_at: when it was first read
--   high_origin: night, or history, as in source_price_history
--   robust_high: market value reached in at least three readings, so that one or two outliers do not count; null = fewer than three readings
--   low: lowest market value above 0
--   low_at: when it was first read
--   low_origin: as high_origin
--   price: market value now; null = none in this currency
--   percent_of_high: price in percent of high
--   percent_of_robust_high: price in percent of robust_high; null = one is missing
--   priced_readings: readings with a price, including those that found no change
create macro price_extremes(days := null, with_history := false) as table
with last as (select game_id, max(seen_at) as seen_at from readings group by game_id),
recent as (
  -- of readings that found the same, three are enough for a robust high, but all are counted
  select r.game_id, r.snapshot, r.seen_at as read_at, if(row_number() over same = 1, count(*) over equals, 0) as times
  from readings r join last l using (game_id)
  where days is null or (epoch(l.seen_at) - epoch(r.seen_at)) / 86400 < if(days > 0 and days = floor(days), days, error('price_extremes: days must be more than 0, and whole')::integer)
  window equals as (partition by r.game_id, r.snapshot), same as (partition by r.game_id, r.snapshot order by r.seen_at)
  qualify row_number() over same <= 3
),
seen as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, r.read_at, r.times, h.origin
  from source_price_history h join recent r using (game_id, snapshot)
  where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, h.seen_at, 1, h.origin
  from source_price_history h join last l using (game_id)
  where with_history and h.origin = 'history' and h.market_value > 0
    and (days is null or (epoch(l.seen_at) - epoch(h.seen_at)) / 86400 < days)
),
ever as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, max(h.market_value) as high,
    arg_max(h.read_at, (h.market_value, -epoch(h.read_at))) as high_at, arg_max(h.origin, (h.market_value, -epoch(h.read_at))) as high_origin,
    max(h.market_value, 3)[3] as robust_high, min(h.market_value) as low,
    arg_min(h.read_at, (h.market_value, epoch(h.read_at))) as low_at, arg_min(h.origin, (h.market_value, epoch(h.read_at))) as low_origin,
    sum(h.times)::bigint as priced_readings
  from seen h
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  group by all
),
priced as (from source_prices where market_value > 0)
select e.game_id, e.product_id, e.finish, e.source, e.currency, e.high, e.high_at, e.high_origin, e.robust_high, e.low, e.low_at,
  e.low_origin, p.market_value as price,
  round(try_cast(100.0 * p.market_value / e.high as decimal(38, 10)), 2)::double as percent_of_high,
  round(try_cast(100.0 * p.market_value / e.robust_high as decimal(38, 10)), 2)::double as percent_of_robust_high, e.priced_readings
from ever e
left join priced p using (game_id, product_id, finish, source, currency);
