-- The cards of one collection, or of all, with their value, sums in whole cents; unmatched cards have no value.
-- reads: $collection (null = all), $currency
select v.* exclude (market_value_in) replace (round(v.value, 2) as value, round(v.cost, 2) as cost), if(v.value is null, v.why_not, nullif(v.basis, 'market value')) as remark, round(v.value - v.cost, 2) as gain
from collection_value(to_currency := $currency) v
where $collection is null or v.collection = $collection
