-- One row per column of a table, and of source_prices per source, that more than half of the published rows filled in, and no row fills in now.
-- reads: schemas before and after; variable price_figures (columns of source_prices)
with products as (
  unpivot (select 'before' as side, count(*) as all_rows, count(columns(* exclude (game_id, product_id, product_type, name, name_slug, attributes, extra, price_extra))) from before.products)
  on columns(* exclude (side, all_rows)) into name column_name value filled
  union all by name
  unpivot (select 'after' as side, count(*) as all_rows, count(columns(* exclude (game_id, product_id, product_type, name, name_slug, attributes, extra, price_extra))) from after.products)
  on columns(* exclude (side, all_rows)) into name column_name value filled
),
prices as (
  unpivot (
    select 'before' as side, source, count(*) as all_rows, count(columns(getvariable('price_figures'))) from before.source_prices group by source
  ) on columns(* exclude (side, source, all_rows)) into name column_name value filled
  union all by name
  unpivot (
    select 'after' as side, source, count(*) as all_rows, count(columns(getvariable('price_figures'))) from after.source_prices group by source
  ) on columns(* exclude (side, source, all_rows)) into name column_name value filled
),
counted as (
  select 'products' as table_name, null as source, * from products
  union all by name
  select 'source_prices' as table_name, * from prices
)
select
  b.table_name, b.source, b.column_name, a.all_rows, b.filled / b.all_rows as share
from counted b
join counted a on a.table_name = b.table_name and a.column_name = b.column_name and a.source is not distinct from b.source
where b.side = 'before' and a.side = 'after' and b.filled > b.all_rows / 2 and a.filled = 0 and a.all_rows > 0
order by all;
