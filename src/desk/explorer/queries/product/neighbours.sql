-- The cards before and after one in its expansion, by number: letters first, then in numeric order.
-- reads: $game, $id, $expansion
with numbered as (
  select product_id, name, print_number, regexp_extract(print_number, '^\D*') as letters,
    try_cast(regexp_extract(print_number, '\d+') as bigint) as place
  from products
  where game_id = $game and expansion_id = $expansion::bigint and print_number is not null
),
beside as (
  select product_id,
    lag({product_id: product_id, name: name, print_number: print_number}) over counted as before,
    lead({product_id: product_id, name: name, print_number: print_number}) over counted as after
  from numbered
  window counted as (order by letters, place nulls last, print_number, name, product_id)
)
select before.product_id as before_id, before.name as before_name, before.print_number as before_number,
  after.product_id as after_id, after.name as after_name, after.print_number as after_number
from beside where product_id = $id::bigint;
