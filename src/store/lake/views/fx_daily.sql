-- fx_daily: Which exchange rate applies on a day? Days without a rate (weekends, holidays) have the last one before, up to six days old
-- grain:  one row per (currency, day)
-- needs:  rates
-- absent: no row = no rate is loaded for the day; load them with cardlake fx
-- columns:
--   currency: three letters
--   day: the day
--   rate: units of the currency for one EUR
--   rate_date: day the rate was published for
create view fx_daily as
with spread as (
  select currency, unnest(generate_series(day::timestamp, (least(next_day - 1, day + 6))::timestamp, interval 1 day))::date as day,
    rate, day as rate_date
  from (
    select currency, day, rate, coalesce(lead(day) over (partition by currency order by day), day + 7) as next_day
    from fx_rates
    where currency <> 'EUR'
  )
)
from spread
union all
select 'EUR', day, 1, max(rate_date) from spread group by day;
