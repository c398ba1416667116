-- What each collection was worth, day by day, and how only those cards moved that were priced on both of two days.
-- reads: $collection (null = all), $currency
with told as materialized (
  from collection_value_series(to_currency := $currency) where $collection is null or collection = $collection
)
select 'Worth' as chart, collection as source, '' as finish, day::varchar as day, currency, null as unit, round(value, 2)::varchar as price,
  null as low, null as high, 'night' as origin
from told
union all
select 'Like for like: the same cards only', collection, '', day::varchar, null, '100 = first day', round(like_for_like, 2)::varchar, null, null, 'night' from told
order by chart desc, source, day;
