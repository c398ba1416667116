-- cardlake_set_value_series: How did the value of every expansion and of its cards move? Like macro set_value_series in the lake
-- grain:  one row per (game_id, expansion_id, price_source, currency, day)
-- reads:  readings, reused_ids, products, source_prices
-- absent: days without a reading, and days without a priced card
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   day: UTC; the day's last reading is used, even if it found no change
--   price_source: sourceEur or sourceUsd
--   currency: of the value
--   value: price of one of every card that was in the expansion that day, each in the cheapest finish that it listed then
--   cards: cards with a price that day
--   like_for_like: index, 100 on the first day; from one priced day to the next it follows only cards that have a price on both
--   compared: cards with a price on this priced day and the one before, and the same product under the id; null = the first day
with of_day as (
  select game_id, snapshot_date as day, snapshot_id
  from (
    select game_id, snapshot_date, snapshot_id,
      row_number() over (partition by game_id, snapshot_date order by read_at desc, snapshot_id desc) as place
    from {{ ref('stg_cardlake__readings') }}
  ) as r
  where place = 1
),
cheapest as (
  select p.game_id, p.expansion_id, p.product_id, d.day, h.price_source, h.currency, min(h.market_value) as price
  from of_day as d
  join {{ ref('stg_cardlake__products') }} as p on p.game_id = d.game_id and p.snapshot_id = d.snapshot_id
  join {{ ref('stg_cardlake__source_prices') }} as h
    on h.game_id = p.game_id and h.snapshot_date = p.snapshot_date and h.snapshot_id = p.snapshot_id
      and h.product_id = p.product_id
  where p.product_type = 'card' and p.expansion_id is not null and h.market_value > 0 and h.is_listed
  group by p.game_id, p.expansion_id, p.product_id, d.day, h.price_source, h.currency
),
days as (
  select game_id, expansion_id, price_source, currency, day, sum(price) as value, count(*) as cards,
    lag(day) over (partition by game_id, expansion_id, price_source, currency order by day) as day_before
  from cheapest
  group by game_id, expansion_id, price_source, currency, day
),
steps as (
  select game_id, expansion_id, product_id, price_source, currency, day, price,
    lag(day) over (partition by game_id, expansion_id, price_source, currency, product_id order by day) as day_before,
    lag(price) over (partition by game_id, expansion_id, price_source, currency, product_id order by day) as price_before
  from cheapest
),
links as (
  select s.game_id, s.expansion_id, s.price_source, s.currency, s.day, count(*) as compared,
    cast(sum(s.price) as double precision) / cast(sum(s.price_before) as double precision) as link
  from steps as s
  join days as d
    on d.game_id = s.game_id and d.expansion_id = s.expansion_id and d.price_source = s.price_source and d.currency = s.currency
      and d.day = s.day and d.day_before = s.day_before
  where not exists (
    select 1 from {{ ref('stg_cardlake__reused_ids') }} as u
    where u.game_id = s.game_id and u.product_id = s.product_id and u.snapshot_date > s.day_before and u.snapshot_date <= s.day
  )
  group by s.game_id, s.expansion_id, s.price_source, s.currency, s.day
),
chained as (
  select d.game_id, d.expansion_id, d.day, d.price_source, d.currency, d.value, d.cards,
    100 * exp(sum(ln(coalesce(l.link, 1))) over (
      partition by d.game_id, d.expansion_id, d.price_source, d.currency order by d.day
    )) as level_exact,
    case when d.day_before is not null then coalesce(l.compared, 0) end as compared
  from days as d
  left join links as l
    on l.game_id = d.game_id and l.expansion_id = d.expansion_id and l.price_source = d.price_source and l.currency = d.currency
      and l.day = d.day
)
select game_id, expansion_id, day, price_source, currency, cast(value as decimal(18, 4)) as value, cards,
  floor(level_exact * 10000 + 0.5) / 10000 as like_for_like, compared
from chained
