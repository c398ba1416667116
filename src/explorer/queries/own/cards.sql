-- The cards of one collection, or of all, with their worth; those that were not matched have none.
-- reads: $collection (null = all), $currency
select v.* exclude (market_value_in), if(v.value is null, v.why_not, nullif(v.basis, 'market value')) as remark, v.value - v.cost as gain
from collection_value(to_currency := $currency) v
where $collection is null or v.collection = $collection
