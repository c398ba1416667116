-- cardlake_set_values: What does one of every card of an expansion cost, and what share of it has a price? Like view set_values in the lake, of the last reading
-- grain:  one row per (game_id, expansion_id, price_source, currency)
-- reads:  readings, products, expansions, source_prices
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   code: its code; null = none
--   name: its name
--   price_source: sourceEur or sourceUsd
--   currency: of the values and dearest
--   value: one of every card, all variants, each in its cheapest finish that it lists
--   dearest: the most expensive of them
--   priced: cards with a price above 0
--   cards: cards of the expansion in the catalogue
--   percent_priced: priced in percent of cards
with last_readings as (
  select game_id, snapshot_id
  from (
    select game_id, snapshot_id, row_number() over (partition by game_id order by read_at desc, snapshot_id desc) as place
    from {{ ref('stg_cardlake__readings') }}
  ) as r
  where place = 1
),
members as (
  select p.game_id, p.snapshot_date, p.snapshot_id, p.expansion_id, p.product_id
  from {{ ref('stg_cardlake__products') }} as p
  join last_readings as l on l.game_id = p.game_id and l.snapshot_id = p.snapshot_id
  where p.product_type = 'card' and p.expansion_id is not null
),
cheapest as (
  select m.game_id, m.snapshot_date, m.snapshot_id, m.expansion_id, m.product_id, s.price_source, s.currency, min(s.market_value) as price
  from members as m
  join {{ ref('stg_cardlake__source_prices') }} as s
    on s.game_id = m.game_id and s.snapshot_date = m.snapshot_date and s.snapshot_id = m.snapshot_id and s.product_id = m.product_id
  where s.market_value > 0 and s.is_listed
  group by m.game_id, m.snapshot_date, m.snapshot_id, m.expansion_id, m.product_id, s.price_source, s.currency
),
counted as (
  select game_id, expansion_id, count(*) as cards from members group by game_id, expansion_id
),
summed as (
  select game_id, snapshot_date, snapshot_id, expansion_id, price_source, currency, sum(price) as value, max(price) as dearest,
    count(*) as priced
  from cheapest
  group by game_id, snapshot_date, snapshot_id, expansion_id, price_source, currency
)
select s.game_id, s.expansion_id, e.code, e.name, s.price_source, s.currency,
  cast(s.value as decimal(18, 4)) as value, s.dearest, s.priced, c.cards,
  -- halves go away from zero in every warehouse
  floor(100 * cast(s.priced as double precision) / c.cards * 10 + 0.5) / 10 as percent_priced
from summed as s
join counted as c on c.game_id = s.game_id and c.expansion_id = s.expansion_id
left join {{ ref('stg_cardlake__expansions') }} as e
  on e.game_id = s.game_id and e.snapshot_date = s.snapshot_date and e.snapshot_id = s.snapshot_id and e.expansion_id = s.expansion_id
