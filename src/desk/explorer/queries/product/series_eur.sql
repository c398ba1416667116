-- The rows of series_native.sql in EUR, at each day's rate or at the last day's; null = no price, or no rate is loaded for the day. Lows and highs are not converted.
-- reads: $game, $id, $finishes (those that it lists), $from (null = all days), $constant (whether one rate is used throughout)
with days as (
  select 'sources' as chart, source,
    if(list_contains($finishes::varchar[], finish), finish, finish || ' (not listed)') as finish,
    day, if($constant, constant, same_day) as price, market_value, origin
  from (
    from price_series_in($id::bigint, source_name := 'sourceEur', from_day := $from)
    union all
    from price_series_in($id::bigint, source_name := 'sourceUsd', from_day := $from)
  )
  where game_id = $game and origin is not null
),
read as (
  select day, arg_max(snapshot, seen_at) as snapshot
  from readings
  where game_id = $game and day >= coalesce($from::date, '-infinity'::date)
  group by day
),
lows as (
  select h.snapshot, h.region, h.finish, h.currency, h.low
  from marketplace_price_history h
  semi join read using (snapshot)
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  where h.game_id = $game and h.product_id = $id::bigint and h.region is not null
),
rated as (
  select k.*, r.day, l.low, if($constant, max(r.day) over (), r.day) as rate_day
  from read r
  cross join (select distinct region, finish, currency from lows) k
  left join lows l using (snapshot, region, finish, currency)
),
listed as (
  select 'marketplace' as chart, n.region as source, n.finish, n.day,
    if(n.currency = 'EUR', n.low, converted(n.low, r.rate, 1)) as price, n.low as market_value, 'night' as origin
  from rated n left join fx_daily r on r.currency = n.currency and r.day = n.rate_day
)
select chart, source, finish, day::varchar as day, 'EUR' as currency, price::varchar as price, null::varchar as low, null::varchar as high, origin,
  count(*) filter (price is null and market_value is not null) over () as unrated
from (from days union all from listed)
order by chart desc, source, not starts_with(finish, 'Standard'), finish, day;
