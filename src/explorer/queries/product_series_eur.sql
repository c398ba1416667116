-- A product's prices on every day that its game was read, or that the service's own history has, in EUR, at the rate of each day or at that of the last day throughout; null = no rate is loaded for the day.
-- reads: $game, $id, $constant (whether one rate is used throughout)
with days as (
  select 'sources' as chart, source,
    if(bool_or(is_listed) over (partition by source, finish), finish, finish || ' (not listed)') as finish,
    day, if($constant, constant, same_day) as price, market_value, origin
  from (from price_series_in($id::bigint, source_name := 'sourceEur') union all from price_series_in($id::bigint, source_name := 'sourceUsd'))
  where game_id = $game
    and origin is not null
),
nightly as (
  select h.region, h.finish, r.day, h.currency, arg_max(h.low, r.seen_at) as low
  from marketplace_price_history h
  join readings r using (game_id, snapshot)
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  where h.game_id = $game and h.product_id = $id::bigint and h.region is not null
  group by all
),
rated as (
  select n.*, if($constant, max(n.day) over (), n.day) as rate_day from nightly n
),
listed as (
  select 'marketplace' as chart, region as source, finish, n.day,
    if(n.currency = 'EUR', low, converted(low, r.rate, 1)) as price, low as market_value, 'night' as origin
  from rated n left join fx_daily r on r.currency = n.currency and r.day = n.rate_day
)
select chart, source, finish, day::varchar as day, 'EUR' as currency, price::varchar as price, origin,
  count(*) filter (price is null and market_value is not null) over () as unrated
from (from days union all from listed)
order by chart desc, source, finish, day;
