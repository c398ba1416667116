-- The value of my cards by day; of one collection also an index of only those cards that were priced on both of two days.
-- reads: $collection (null = all), $currency
with told as materialized (
  from collection_value_series(to_currency := $currency) where $collection is null or collection = $collection
),
summed as (
  select (select if(count(distinct collection) = 1, any_value(collection), 'all of them') from told) as source, day, currency, value from told
)
select 'Worth' as chart, source, '' as finish, day::varchar as day, currency, null as unit, if(count(value) = count(*), round(sum(value), 2), null)::varchar as price,
  null as low, null as high, 'night' as origin
from summed group by source, day, currency
union all
select 'Like for like: the same cards only', collection, '', day::varchar, null, '100 = first day', round(like_for_like, 2)::varchar, null, null, 'night'
from told where (select count(distinct collection) from told) = 1
order by chart desc, source, day;
