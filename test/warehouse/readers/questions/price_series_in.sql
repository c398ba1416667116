-- How much of that was the exchange rate?
with days as (select snapshot_date as day from nights where counts),
rates as (
  select d.day, max_by(r.rate, r.rate_date) as rate, max(r.rate_date) as rate_date
  from days d join fx_rates r on r.currency = 'USD' and r.rate_date between date_sub(d.day, 6) and d.day
  group by d.day
),
last_rate as (select * from rates where day = :last_day)
select p.snapshot_date, p.currency, nullif(p.market_value, 0) as market_value, round(p.market_value / r.rate, 4) as same_day, r.rate_date,
  round(p.market_value / l.rate, 4) as constant, l.rate_date as constant_rate_date
from source_prices p
join rates r on r.day = p.snapshot_date
cross join last_rate l
where p.product_id = :product and p.finish = 'Standard' and p.price_source = 'sourceUsd' and p.market_value > 0
