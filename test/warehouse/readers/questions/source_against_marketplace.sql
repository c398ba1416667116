-- Where does the marketplace sell far below what the price source says?
with catalogue as (select product_id, name, product_type from products where snapshot_date = :last_day),
listings as (select * from marketplace_prices where snapshot_date = :last_day and region is not null),
offers as (
  select d.product_id, d.finish, d.region, m.currency, d.low, d.listing_count
  from marketplace_price_conditions d
  join listings m using (product_id, finish, region)
  join catalogue c using (product_id)
  where d.snapshot_date = :last_day and d.card_condition = 'NM' and d.language_code = 'en' and c.product_type = 'card'
  union all
  select m.product_id, m.finish, m.region, m.currency, m.low, m.listing_count
  from listings m join catalogue c using (product_id) where c.product_type = 'sealed'
)
select c.name, o.finish, o.region, o.low, s.market_value, o.currency,
  cast(round(100 * (o.low - s.market_value) / s.market_value, 2) as double) as percent, o.listing_count
from offers o
join catalogue c using (product_id)
join source_prices s on s.product_id = o.product_id and s.finish = o.finish and s.snapshot_date = :last_day
  and s.price_source = if(o.region = 'eu', 'sourceEur', 'sourceUsd')
where s.market_value >= 20 and o.listing_count >= 3
