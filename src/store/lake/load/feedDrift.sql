-- Drift found by shredding, and lines of prices without a product in the catalogue.
-- reads: own_rows, batch_price_lines, batch_products; variable game_id
from own_rows
union all by name
select
  getvariable('game_id') as game_id,
  'orphan' as kind,
  'prices' as place,
  case when rank <= 1000 then product_id::varchar else '*' end as word,
  1::bigint as records
from (
  select l.product_id, row_number() over (order by l.product_id) as rank
  from batch_price_lines l anti join batch_products p on p.product_id = l.product_id
)
