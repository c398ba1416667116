-- volatility: Which prices vary most from day to day?
-- grain:  one row per (game_id, product_id, finish, source, currency)
-- needs:  prices
-- takes:  days: number of days before the last reading, default 30; min_price: minimum mean market value, default 1; min_days: minimum number of days with a price, default 5; with_history: true = use the marketplace's own history for days without a reading, default false
-- absent: prices of another product that had the id before (reused_ids)
-- example: from volatility(days := 90)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of mean
--   priced_days: days with a price, including days whose reading found no change
--   history_days: those of them that are only in the marketplace's history
--   mean: mean market value of the priced days
--   daily_percent: standard deviation of the daily change (of the logarithm), in percent; a change over several days is divided by the square root of the number of days; null = fewer than two changes
create macro volatility(days := 30, min_price := 1, min_days := 5, with_history := false) as table
with last as (select game_id, max(seen_at) as seen_at from readings group by game_id),
daily as (
  select r.game_id, r.day, arg_max(r.snapshot, r.seen_at) as snapshot
  from readings r join last l using (game_id)
  where (epoch(l.seen_at) - epoch(r.seen_at)) / 86400 < if(days > 0 and days = floor(days), days, error('volatility: days must be more than 0, and whole')::integer)
  group by r.game_id, r.day
),
priced as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, d.day, false as is_past
  from source_price_history h join daily d using (game_id, snapshot)
  where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, (h.seen_at at time zone 'UTC')::date, true
  from source_price_history h join last l using (game_id)
  where with_history and h.origin = 'history' and h.market_value > 0 and h.seen_at < l.seen_at
    and (epoch(l.seen_at) - epoch(h.seen_at)) / 86400 < days
),
steps as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.is_past,
    ln(h.market_value / lag(h.market_value) over dated) / sqrt(h.day - lag(h.day) over dated) as step
  from priced h
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  window dated as (partition by h.game_id, h.product_id, h.finish, h.source, h.currency order by h.day)
),
swings as (
  select game_id, product_id, finish, source, currency, count(*) as priced_days, count(*) filter (is_past) as history_days, avg(market_value) as average, stddev_samp(step) as deviation
  from steps
  group by game_id, product_id, finish, source, currency
)
select game_id, product_id, finish, source, currency, priced_days, history_days, round(average, 4) as mean, round(100 * deviation, 2) as daily_percent
from swings
where priced_days >= if(min_days = floor(min_days), min_days, error('volatility: min_days is null or not whole')::integer)
  and average >= if(min_price is null, error('volatility: min_price is null'), min_price)
order by daily_percent desc nulls last, product_id, finish, source;
