-- One row per price source that either snapshot has: how many products have a price of it, and how many a block of it now.
-- A price is a figure above 0: a source that has none says 0, too. Reads schemas before and after.
with figures as (
  select 'before' as side, source, product_id, greatest(low, mid, high, market_value) > 0 as is_priced from before.source_prices
  union all
  select 'after', source, product_id, greatest(low, mid, high, market_value) > 0 from after.source_prices
  union all
  select 'before', 'marketplace', product_id, low > 0 from before.marketplace_prices
  union all
  select 'after', 'marketplace', product_id, low > 0 from after.marketplace_prices
)
select
  source,
  count(distinct product_id) filter (side = 'before' and is_priced) as before,
  count(distinct product_id) filter (side = 'after' and is_priced) as after,
  count(distinct product_id) filter (side = 'after') as blocks
from figures
group by source
order by source;
