-- One row per price source that either snapshot has: how many products it prices; how many it has a block of now, and how many any figure
-- above 0. A price is the market value, or another figure where the source gives none; 0 is no price. Reads schemas before and after;
-- of a first night (variable is_first) both are the same, and nothing is counted before. Variable price_figures: columns of source_prices.
with figures as not materialized (
  -- Marks of a row: 1 = was priced, 2 = has a block now, 4 = is priced now, 8 = has a figure now.
  select source, product_id, if(coalesce(market_value, mid, *columns(getvariable('price_figures'))) > 0, 1, 0) as marks from before.source_prices
  where getvariable('is_first') = 0
  union all
  select source, product_id, 2 + if(coalesce(market_value, mid, *columns(getvariable('price_figures'))) > 0, 4, 0)
    + if(greatest(*columns(getvariable('price_figures'))) > 0, 8, 0)
  from after.source_prices
  union all
  select 'marketplace', product_id, if(low > 0, 1, 0) from before.marketplace_prices
  where getvariable('is_first') = 0
  union all
  select 'marketplace', product_id, if(low > 0, 14, 2) from after.marketplace_prices
),
sources as materialized (
  select source, 4 * row_number() over () - 4 as place from (select distinct source from figures)
),
-- Each source has four bits of a number, because groups by product and source would take twice as long.
products as (
  select product_id, bit_or(marks::bigint << place) as marks from figures join sources using (source) group by product_id
),
alike as (select marks, count(*) as products from products group by marks)
select
  source,
  sum(if(marks >> place & 1 > 0, products, 0)) as before,
  sum(if(marks >> place & 4 > 0, products, 0)) as after,
  sum(if(marks >> place & 2 > 0, products, 0)) as blocks,
  sum(if(marks >> place & 8 > 0, products, 0)) as figures
from alike cross join sources
group by source
order by source;
