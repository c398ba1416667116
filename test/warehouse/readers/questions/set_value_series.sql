-- What is one of every card of an expansion worth, and how did that change?
with cheapest as (
  select s.snapshot_date, s.currency, s.product_id, min(s.market_value) as price
  from source_prices s join products p using (game_id, snapshot_date, product_id)
  where p.expansion_id = :expansion and p.product_type = 'card' and s.price_source = 'sourceEur' and s.is_listed and s.market_value > 0
  group by s.snapshot_date, s.currency, s.product_id
),
days as (
  select snapshot_date, currency, sum(price) as value, count(*) as cards, lag(snapshot_date) over (order by snapshot_date) as day_before
  from cheapest group by snapshot_date, currency
),
links as (
  select d.snapshot_date, count(*) as compared, cast(sum(n.price) as double) / cast(sum(o.price) as double) as link
  from days d
  join cheapest n on n.snapshot_date = d.snapshot_date
  join cheapest o on o.snapshot_date = d.day_before and o.product_id = n.product_id
  group by d.snapshot_date
)
select snapshot_date, currency, cast(value as decimal(18, 4)) as value, cards,
  round(100 * exp(sum(ln(coalesce(link, 1))) over (order by snapshot_date)), 4) as like_for_like, compared
from days left join links using (snapshot_date)
