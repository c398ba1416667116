-- A product's prices on every day that its game was read, in their own currencies: market values of the sources, lowest listings
-- of the marketplace.
-- reads: $game, $id
with days as (
  select 'Price sources' as chart, source,
    if(bool_or(is_listed) over (partition by source, finish), finish, finish || ' (not listed)') as finish,
    day, coalesce(currency, if(source = 'sourceEur', 'EUR', 'USD')) as currency, market_value as price
  from (from price_series($id::bigint, source_name := 'sourceEur') union all from price_series($id::bigint, source_name := 'sourceUsd'))
  where game_id = $game
    and day in (select day from readings where game_id = $game)
),
listed as (
  select 'Marketplace, lowest listing' as chart, region as source, finish, seen_at::date as day, currency, arg_max(low, seen_at) as price
  from marketplace_price_history
  where game_id = $game and product_id = $id::bigint and region is not null
  group by all
)
select chart, source, finish, day::varchar as day, currency, price::varchar as price
from (from days union all from listed)
order by chart desc, currency, source, finish, day;
