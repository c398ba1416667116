-- The value of my cards by day; of one collection also an index of only those cards that were priced on both of two days.
-- The newest day is what collection_totals says; on earlier days cards of another condition count by their finish's market value, because conditions
-- have no history.
-- reads: $collection (null = all), $currency
with now as materialized (
  select collection, worth from collection_totals(to_currency := $currency)
),
told as materialized (
  select s.* replace (if(s.day = max(s.day) over (), coalesce(n.worth, s.value), s.value) as value)
  from collection_value_series(to_currency := $currency) s left join now n using (collection) where $collection is null or s.collection = $collection
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
