-- What each collection was worth at its last reading that is a week old or older, by the same market values as now.
-- reads: $currency
select collection, round(arg_max(value, day), 2)::varchar as value, max(day) as day
from collection_value_series(to_currency := $currency)
where day <= (select max(day) from readings) - 7
group by collection
