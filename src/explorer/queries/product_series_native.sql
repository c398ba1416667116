-- A product's prices on every day that its game was read, or that the service's own history has, in their own currencies: market values of the sources, lowest listings
-- of the marketplace.
-- reads: $game, $id
with days as (
  select 'sources' as chart, source,
    if(bool_or(is_listed) over (partition by source, finish), finish, finish || ' (not listed)') as finish,
    day, coalesce(currency, if(source = 'sourceEur', 'EUR', 'USD')) as currency, market_value as price, origin
  from (from price_series($id::bigint, source_name := 'sourceEur') union all from price_series($id::bigint, source_name := 'sourceUsd'))
  where game_id = $game
    and origin is not null
),
listed as (
  select 'marketplace' as chart, h.region as source, h.finish, r.day, h.currency, arg_max(h.low, r.seen_at) as price, 'night' as origin
  from marketplace_price_history h
  join readings r using (game_id, snapshot)
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  where h.game_id = $game and h.product_id = $id::bigint and h.region is not null
  group by all
)
select chart, source, finish, day::varchar as day, currency, price::varchar as price, origin
from (from days union all from listed)
order by chart desc, currency, source, finish, day;
