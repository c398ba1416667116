-- What does a foil cost over the same card without?
with priced as (
  select product_id, finish, market_value from source_prices
  where snapshot_date = :last_day and price_source = 'sourceEur' and is_listed and market_value > 0
),
premiums as (
  select p.expansion_id, f.finish, round(f.market_value / s.market_value, 2) as times
  from priced f
  join priced s on s.product_id = f.product_id and s.finish = 'Standard'
  join products p on p.product_id = f.product_id and p.snapshot_date = :last_day
  where f.finish <> 'Standard'
),
-- the middle one, or both: percentile would compute in doubles
placed as (
  select *, row_number() over (partition by expansion_id, finish order by times) as place,
    count(*) over (partition by expansion_id, finish) as cards
  from premiums
)
select e.name, m.finish, m.cards, cast(round(avg(m.times), 2) as decimal(9, 2)) as median_times
from placed m join expansions e on e.expansion_id = m.expansion_id and e.snapshot_date = :last_day
where m.cards >= 10 and abs(2 * m.place - m.cards - 1) <= 1
group by e.expansion_id, e.name, m.finish, m.cards
