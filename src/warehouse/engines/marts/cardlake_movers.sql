-- cardlake_movers: Which prices moved most over a number of days? Like macro movers in the lake. Variables: cardlake_movers_days (default 7), cardlake_movers_min_price (1), cardlake_movers_min_listings (0)
-- grain:  one row per (game_id, product_id, finish, price_source)
-- reads:  readings, reused_ids, products, source_prices, marketplace_prices
-- absent: prices that did not change, and prices that are missing in one of the readings
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   expansion_code: its expansion's code; null = none
--   finish: such as Standard or Foil
--   is_listed: true if the product lists the finish
--   price_source: sourceEur or sourceUsd
--   currency: of the prices
--   old_value: market value then
--   new_value: market value now
--   value_change: new minus old
--   percent_change: change in percent of old
--   listing_count: live listings of the finish now; 0 = none
--   is_outlier: true if the move differs greatly from others of its game and source: by more than six robust deviations (of the logarithm, from the median, at least 0.05) from the median move of all prices in both readings, changed or not
--   seen_before: time of the last reading with the old price
--   seen_at: time of the last reading with the new price
--   days_between: actual number of days between the two readings
with readings as (
  select game_id, snapshot_id, read_at, cast(extract(epoch from read_at) as double precision) as second,
    row_number() over (partition by game_id order by read_at desc, snapshot_id desc) as place
  from {{ ref('stg_cardlake__readings') }}
),
last_readings as (
  select game_id, snapshot_id, read_at, second from readings where place = 1
),
earlier as (
  select r.game_id, r.snapshot_id, r.read_at, r.second,
    row_number() over (partition by r.game_id order by r.read_at desc, r.snapshot_id desc) as place
  from readings as r
  join last_readings as l on l.game_id = r.game_id
  -- half a day of slack: nights begin and end a little later or earlier
  where (l.second - r.second) / 86400 >= {{ var('cardlake_movers_days', 7) }} - 0.5
),
old_prices as (
  select h.game_id, h.product_id, h.finish, h.price_source, h.currency, h.market_value, e.read_at as seen_before, e.second
  from {{ ref('stg_cardlake__source_prices') }} as h
  join earlier as e on e.game_id = h.game_id and e.snapshot_id = h.snapshot_id and e.place = 1
  where h.market_value > 0 and not exists (
    select 1 from {{ ref('stg_cardlake__reused_ids') }} as u
    where u.game_id = h.game_id and u.product_id = h.product_id and u.read_at > h.read_at
  )
),
priced as (
  select p.game_id, p.snapshot_date, p.snapshot_id, p.product_id, p.finish, p.price_source, p.currency, p.is_listed,
    o.market_value as old_value, p.market_value as new_value, o.seen_before, l.read_at as seen_at, l.second - o.second as seconds,
    ln(cast(p.market_value as double precision) / cast(o.market_value as double precision)) as move
  from {{ ref('stg_cardlake__source_prices') }} as p
  join last_readings as l on l.game_id = p.game_id and l.snapshot_id = p.snapshot_id
  join old_prices as o
    on o.game_id = p.game_id and o.product_id = p.product_id and o.finish = p.finish and o.price_source = p.price_source
      and o.currency = p.currency
  where p.market_value > 0
),
middles as (
  select game_id, price_source, percentile_cont(0.5) within group (order by move) as middle
  from priced group by game_id, price_source
),
usual as (
  select p.game_id, p.price_source, m.middle,
    greatest(percentile_cont(0.5) within group (order by abs(p.move - m.middle)) * 1.4826, 0.05) as deviation
  from priced as p
  join middles as m on m.game_id = p.game_id and m.price_source = p.price_source
  group by p.game_id, p.price_source, m.middle
),
moves as (
  select p.*, c.name, c.expansion_code, coalesce(s.listing_count, 0) as listing_count,
    abs(p.move - u.middle) > 6 * u.deviation as is_outlier,
    cast(100.0 * (p.new_value - p.old_value) as double precision) / cast(p.old_value as double precision) as percent_exact,
    p.seconds / 86400 as days_exact
  from priced as p
  join usual as u on u.game_id = p.game_id and u.price_source = p.price_source
  join {{ ref('stg_cardlake__products') }} as c
    on c.game_id = p.game_id and c.snapshot_date = p.snapshot_date and c.snapshot_id = p.snapshot_id and c.product_id = p.product_id
  left join {{ ref('stg_cardlake__marketplace_prices') }} as s
    on s.game_id = p.game_id and s.snapshot_date = p.snapshot_date and s.snapshot_id = p.snapshot_id
      and s.product_id = p.product_id and s.finish = p.finish and s.region is null
)
select game_id, product_id, name, expansion_code, finish, is_listed, price_source, currency, old_value, new_value,
  new_value - old_value as value_change,
  -- halves go away from zero in every warehouse
  sign(percent_exact) * floor(abs(percent_exact) * 100 + 0.5) / 100 as percent_change,
  listing_count, is_outlier, seen_before, seen_at,
  floor(days_exact * 10 + 0.5) / 10 as days_between
from moves
where new_value <> old_value
  and greatest(new_value, old_value) >= {{ var('cardlake_movers_min_price', 1) }}
  and listing_count >= {{ var('cardlake_movers_min_listings', 0) }}
