-- The value of each collection, and first of all together if there are several, in whole cents, because converted sums have more decimals.
-- reads: $collection (null = all), $currency
with each as materialized (
  from collection_totals(to_currency := $currency) where $collection is null or collection = $collection
),
several as (
  select 'all of them' as collection, currency, sum(cards)::bigint as cards, sum(worth) as worth, sum(value) as value,
    sum(value_of_unknown_condition) as value_of_unknown_condition, sum(value_of_any_condition) as value_of_any_condition,
    sum(cards_without_price)::bigint as cards_without_price, sum(market_value) as market_value, sum(cost) as cost, sum(gain) as gain
  from each group by currency having count(*) > 1
)
select * exclude (place) replace (round(worth, 2) as worth, round(value_of_unknown_condition, 2) as value_of_unknown_condition, round(value, 2) as value, round(value_of_any_condition, 2) as value_of_any_condition, round(cost, 2) as cost,
  round(gain, 2) as gain, round(market_value, 2) as market_value)
from (select *, 0 as place from several union all by name select *, 1 from each)
order by place, worth desc, collection
