-- What each collection is worth, in whole cents: sums of converted prices have more places.
-- reads: $collection (null = all), $currency
select * replace (round(value, 2) as value, round(value_of_any_condition, 2) as value_of_any_condition, round(cost, 2) as cost, round(gain, 2) as gain,
  round(market_value, 2) as market_value)
from collection_totals(to_currency := $currency)
where $collection is null or collection = $collection
