-- volatility: Which prices swing most from day to day?
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  days: how far back, 30; min_price: mean market value at least, 1; min_days: days with a price at least, 5
-- example: from volatility(days := 90)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   priced_days: days with a price
--   mean: mean market value
--   daily_percent: standard deviation of the day's change, in percent (of the logarithm)
create macro volatility(days := 30, min_price := 1, min_days := 5) as table
with last as (select game_id, max(seen_at) as seen_at from nights group by game_id),
nightly as (
  select n.game_id, arg_max(n.kept_in, n.place) as kept_in, arg_max(n.snapshot, n.place) as snapshot, n.day
  from nights n join last l using (game_id)
  where epoch(l.seen_at) - epoch(n.seen_at) < 86400 * days
  group by n.game_id, n.day
),
steps as (
  select h.product_id, h.game_id, h.finish, h.source, h.market_value,
    ln(h.market_value / lag(h.market_value) over (partition by h.game_id, h.product_id, h.finish, h.source order by n.day)) as step
  from source_price_history h join nightly n using (game_id, kept_in, snapshot)
  where h.market_value > 0
)
select game_id, product_id, finish, source, count(*) as priced_days, round(avg(market_value), 4) as mean,
  round(100 * stddev_samp(step), 2) as daily_percent
from steps
group by game_id, product_id, finish, source
having count(*) >= min_days and avg(market_value) >= min_price
order by daily_percent desc nulls last, product_id, finish, source;
