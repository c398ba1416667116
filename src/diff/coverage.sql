-- One row per price source that either snapshot has: how many products it prices. A market value of 0 is no price. Reads schemas before and after.
with figures as (
  select 'before' as side, source, product_id from before.source_prices
  where market_value > 0
  union all
  select 'after', source, product_id from after.source_prices where market_value > 0
  union all
  select 'before', 'marketplace', product_id from before.marketplace_prices where low > 0
  union all
  select 'after', 'marketplace', product_id from after.marketplace_prices where low > 0
)
select
  source,
  count(distinct product_id) filter (side = 'before') as before,
  count(distinct product_id) filter (side = 'after') as after
from figures
group by source
order by source;
