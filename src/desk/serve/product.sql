-- A product of the catalogue with its prices, and its prices by day at each source, as one JSON document; no row if the catalogue lacks it.
-- reads: $game, $id
with p as (from products where game_id = $game and product_id = $id::bigint),
prices as (select * exclude (game_id, product_id) from source_prices where game_id = $game and product_id = $id::bigint order by source, finish),
listed as (
  select * exclude (game_id, product_id) from marketplace_prices where game_id = $game and product_id = $id::bigint
  order by region nulls first, finish
),
series as (
  select * exclude (game_id, product_id)
  from (
    from price_series($id::bigint, source_name := 'sourceEur') union all from price_series($id::bigint, source_name := 'sourceUsd')
  )
  where game_id = $game and currency is not null
  order by source, finish, day
)
select to_json({
  'sequence': (select coalesce(max(sequence), 0) from publications),
  'product': p,
  'prices': (select coalesce(list(prices), []) from prices),
  'marketplace_prices': (select coalesce(list(listed), []) from listed),
  'series': (select coalesce(list(series), []) from series)
})::varchar as document
from p;
