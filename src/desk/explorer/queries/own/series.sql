-- The market value of my cards by day beside their worth of now, which has no history, as conditions have none; of one collection also an index of
-- only those cards that were priced on both of two days.
-- reads: $collection (null = all), $currency
with days as materialized (
  from collection_value_series(to_currency := $currency) where $collection is null or collection = $collection
),
summed as (
  select 'market value' as line, day, currency, if(count(value) = count(*), round(sum(value), 2), null) as value from days group by day, currency
  union all
  select 'worth', (select max(day) from days), currency, round(sum(worth), 2) from collection_totals(to_currency := $currency)
  where $collection is null or collection = $collection group by currency
)
select 'Market value by day, and worth' as chart, line as source, '' as finish, day::varchar as day, currency, null as unit, value::varchar as price,
  null as low, null as high, 'night' as origin
from summed where day is not null
union all
select 'Like for like: the same cards only', collection, '', day::varchar, null, '100 = first day', round(like_for_like, 2)::varchar, null, null, 'night'
from days where (select count(distinct collection) from days) = 1
order by chart desc, source, day;
