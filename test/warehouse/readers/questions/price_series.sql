-- How did the price of one product move, day by day?
with days as (select explode(sequence(min(snapshot_date), max(snapshot_date))) as day from nights),
prices as (
  select snapshot_date, currency, low, market_value from source_prices
  where product_id = :product and finish = 'Standard' and price_source = 'sourceEur'
)
select d.day, p.currency, p.low, nullif(p.market_value, 0) as market_value,
  case
    when n.snapshot_date is null then 'not read'
    when p.market_value > 0 then 'priced'
    when c.snapshot_date is null then 'not in the catalogue'
    else 'no price'
  end as state
from days d
left join nights n on n.snapshot_date = d.day and n.counts
left join prices p on p.snapshot_date = d.day
left join products c on c.snapshot_date = d.day and c.product_id = :product
