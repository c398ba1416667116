-- cardlake_price_series: How did every product's price move, day by day? Like macro price_series in the lake: gaps are not filled, and days without a reading have the prices of backfilled_prices
-- grain:  one row per (game_id, product_id, finish, price_source, day)
-- reads:  readings, reused_ids, products, product_finishes, source_prices
-- columns:
--   game_id: the game's id
--   day: UTC; the day's last reading is used, even if it found no change
--   product_id: the product's id
--   finish: such as Standard or Foil; every finish that the product ever listed or that has a price
--   is_listed: true if the product listed the finish that day; false = a price of a finish that the product does not list; null = not in the catalogue, or not read
--   price_source: sourceEur or sourceUsd
--   currency: of the prices; null = no price block that day
--   low: lowest price; null = none
--   mid: middle price; null = none
--   high: highest price; null = none
--   market_value: the source's market value; null = none, or 0, which is not a price
--   state: priced; no price = no market value above 0 that day; not in the catalogue; not read = no reading that day, and not in the marketplace's history
--   origin: night = read by us; history = from the marketplace's history, because there was no reading that day; null = neither
with recursive of_day as (
  select game_id, snapshot_date, snapshot_id
  from (
    select game_id, snapshot_date, snapshot_id,
      row_number() over (partition by game_id, snapshot_date order by read_at desc, snapshot_id desc) as place
    from {{ ref('stg_cardlake__readings') }}
  ) as r
  where place = 1
),
-- what the service says of days without a reading
past as (
  select b.game_id, b.snapshot_date, b.product_id, b.finish, b.price_source, b.currency, b.low, b.mid, b.high, b.market_value
  from {{ ref('stg_cardlake__backfilled_prices') }} as b
  left join of_day as o on o.game_id = b.game_id and o.snapshot_date = b.snapshot_date
  left join (
    select game_id, product_id, max(snapshot_date) as reused_on from {{ ref('stg_cardlake__reused_ids') }} group by game_id, product_id
  ) as u on u.game_id = b.game_id and u.product_id = b.product_id
  where o.snapshot_date is null and (u.reused_on is null or u.reused_on < b.snapshot_date)
),
first_days as (
  select game_id, min(day) as day, max(day) as last_day
  from (select game_id, snapshot_date as day from of_day union all select game_id, snapshot_date as day from past) as d
  group by game_id
),
days as (
  select game_id, day, last_day from first_days
  union all
  select game_id, cast({{ dbt.dateadd('day', 1, 'day') }} as date), last_day from days where day < last_day
),
-- before, the id stood for another product
reused as (
  select game_id, product_id, max(read_at) as reused_at from {{ ref('stg_cardlake__reused_ids') }} group by game_id, product_id
),
catalogue as (
  select p.game_id, p.product_id, p.snapshot_id
  from {{ ref('stg_cardlake__products') }} as p
  left join reused as u on u.game_id = p.game_id and u.product_id = p.product_id
  where u.reused_at is null or p.read_at >= u.reused_at
),
listed as (
  select distinct f.game_id, f.product_id, f.snapshot_id, f.finish
  from {{ ref('stg_cardlake__product_finishes') }} as f
  left join reused as u on u.game_id = f.game_id and u.product_id = f.product_id
  where u.reused_at is null or f.read_at >= u.reused_at
),
prices as (
  select p.game_id, p.product_id, p.snapshot_id, p.finish, p.price_source, p.currency, p.low, p.mid, p.high, p.market_value
  from {{ ref('stg_cardlake__source_prices') }} as p
  left join reused as u on u.game_id = p.game_id and u.product_id = p.product_id
  where (u.reused_at is null or p.read_at >= u.reused_at)
    and exists (select 1 from of_day as o where o.game_id = p.game_id and o.snapshot_id = p.snapshot_id)
),
finishes as (
  select l.game_id, l.product_id, l.finish, s.price_source
  from listed as l cross join (select 'sourceEur' as price_source union all select 'sourceUsd') as s
  union
  select game_id, product_id, finish, price_source from prices
  union
  select game_id, product_id, finish, price_source from past
)
select
  d.game_id,
  d.day,
  f.product_id,
  f.finish,
  case when c.product_id is not null then l.finish is not null end as is_listed,
  f.price_source,
  coalesce(p.currency, b.currency) as currency,
  -- a day has a reading or history, never both
  coalesce(p.low, b.low) as low,
  coalesce(p.mid, b.mid) as mid,
  coalesce(p.high, b.high) as high,
  nullif(coalesce(p.market_value, b.market_value), 0) as market_value,
  case
    when b.market_value > 0 then 'priced'
    when b.product_id is not null then 'no price'
    when o.snapshot_id is null then 'not read'
    when p.market_value > 0 then 'priced'
    when c.product_id is null then 'not in the catalogue'
    else 'no price'
  end as state,
  case when o.snapshot_id is not null then 'night' when b.product_id is not null then 'history' end as origin
from days as d
join finishes as f on f.game_id = d.game_id
left join of_day as o on o.game_id = d.game_id and o.snapshot_date = d.day
left join prices as p
  on p.game_id = d.game_id and p.snapshot_id = o.snapshot_id and p.product_id = f.product_id and p.finish = f.finish
    and p.price_source = f.price_source
left join past as b
  on b.game_id = d.game_id and b.snapshot_date = d.day and b.product_id = f.product_id and b.finish = f.finish
    and b.price_source = f.price_source
left join catalogue as c on c.game_id = d.game_id and c.snapshot_id = o.snapshot_id and c.product_id = f.product_id
left join listed as l
  on l.game_id = d.game_id and l.snapshot_id = o.snapshot_id and l.product_id = f.product_id and l.finish = f.finish
