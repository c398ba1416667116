-- One row per price source that either snapshot has: how many products it prices; how many it has a block of now, and how many any figure
-- above 0. A price is the market value, or another figure where the source gives none; 0 is no price. Reads schemas before and after;
-- of a first night (variable is_first) both are the same, and nothing is counted before. Variable price_figures: columns of source_prices.
with figures as (
  select 'before' as side, source, product_id, coalesce(market_value, mid, *columns(getvariable('price_figures'))) > 0 as is_priced, null as has_figure from before.source_prices
  where getvariable('is_first') = 0
  union all
  select 'after', source, product_id, coalesce(market_value, mid, *columns(getvariable('price_figures'))) > 0,
    greatest(*columns(getvariable('price_figures'))) > 0
  from after.source_prices
  union all
  select 'before', 'marketplace', product_id, low > 0, null from before.marketplace_prices
  where getvariable('is_first') = 0
  union all
  select 'after', 'marketplace', product_id, low > 0, low > 0 from after.marketplace_prices
),
-- A distinct count would take three times as long.
products as (
  select side, source, product_id, bool_or(is_priced) as is_priced, bool_or(has_figure) as has_figure
  from figures
  group by all
)
select
  source,
  count(*) filter (side = 'before' and is_priced) as before,
  count(*) filter (side = 'after' and is_priced) as after,
  count(*) filter (side = 'after') as blocks,
  count(*) filter (has_figure) as figures
from products
group by source
order by source;
