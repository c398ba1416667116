-- What sells for more on the other continent, after fees and shipping?
with catalogue as (select product_id, name, product_type from products where snapshot_date = :last_day),
listings as (select * from marketplace_prices where snapshot_date = :last_day and region is not null),
offers as (
  select m.product_id, c.name, m.finish, m.region, d.low, d.listing_count
  from marketplace_price_conditions d
  join listings m using (product_id, finish, region)
  join catalogue c using (product_id)
  where d.snapshot_date = :last_day and d.card_condition = 'NM' and d.language_code = 'en' and c.product_type = 'card'
  union all
  select m.product_id, c.name, m.finish, m.region, m.low, m.listing_count
  from listings m join catalogue c using (product_id) where c.product_type = 'sealed'
),
usd as (select rate, rate_date from fx_rates where currency = 'USD' and rate_date between date_sub(:last_day, 6) and :last_day order by rate_date desc limit 1),
pairs as (
  select e.name, e.finish, e.low as eu_low, n.low as na_low, round(n.low / u.rate, 4) as na_low_eur, u.rate_date
  from offers e join offers n on n.product_id = e.product_id and n.finish = e.finish cross join usd u
  where e.region = 'eu' and n.region = 'na' and e.listing_count >= 3 and n.listing_count >= 3
),
nets as (select *, na_low_eur * 0.95 - eu_low - 2 as to_na, eu_low * 0.95 - na_low_eur - 2 as to_eu from pairs)
select name, finish, eu_low, na_low, na_low_eur, rate_date, if(to_na >= to_eu, 'eu', 'na') as buy_in,
  cast(round(greatest(to_na, to_eu), 2) as double) as net
from nets where round(greatest(to_na, to_eu), 2) > 0
