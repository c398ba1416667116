-- The value of each collection, and of all, at the last reading at least a week old, by the same kind of market values as now.
-- reads: $currency
with aged as materialized (
  select collection, arg_max(value, day) as value, max(day) as day
  from collection_value_series(to_currency := $currency)
  where day <= (select max(day) from readings) - 7
  group by collection
)
select collection, round(value, 2)::varchar as value, day from aged
union all
select 'all of them', round(sum(value), 2)::varchar, max(day) from aged having count(*) > 1
