-- Which prices moved most in a week?
with prices as (
  select * from source_prices where snapshot_date in (:last_day, :week_ago) and market_value > 0
),
pairs as (
  select n.product_id, n.finish, n.price_source, o.market_value as before, n.market_value as now,
    ln(cast(n.market_value as double) / cast(o.market_value as double)) as move
  from prices n join prices o using (game_id, product_id, finish, price_source, currency)
  where n.snapshot_date = :last_day and o.snapshot_date = :week_ago
),
middles as (select price_source, percentile(move, 0.5) as middle from pairs group by price_source),
-- six robust deviations, each of 0.05 at least
usual as (
  select price_source, middle, greatest(1.4826 * percentile(abs(move - middle), 0.5), 0.05) as deviation
  from pairs join middles using (price_source) group by price_source, middle
)
select c.name, p.finish, p.price_source, p.before, p.now, cast(round(100 * (p.now - p.before) / p.before, 2) as double) as percent,
  abs(p.move - u.middle) > 6 * u.deviation as is_outlier
from pairs p
join usual u using (price_source)
join products c on c.product_id = p.product_id and c.snapshot_date = :last_day
where p.now <> p.before and greatest(p.now, p.before) >= 5
