-- A product's prices on every day that its game was read, or that the service's history covers, in their original currencies: market values of the
-- sources with their lows and highs, as in price_series; lowest listings of the marketplace. Null = no price on that day.
-- reads: table priced (priced.sql); $game, $id, $finishes (those that it lists), $from (null = all days)
with read as materialized (
  select day, arg_max(snapshot, seen_at) as snapshot
  from readings
  where game_id = $game and day >= coalesce($from::date, '-infinity'::date)
  group by day
),
keys as (
  select source, finish, arg_max(currency, seen_at) as currency from priced group by source, finish
),
days as (
  select k.source, k.finish, r.day, coalesce(t.currency, k.currency) as currency, nullif(t.market_value, 0) as price, t.low, t.high, 'night' as origin
  from read r
  cross join keys k
  left join priced t on t.snapshot = r.snapshot and t.source = k.source and t.finish = k.finish and t.origin = 'night'
  union all
  select source, finish, seen_at::date, currency, nullif(market_value, 0), low, high, origin
  from priced
  where origin = 'history' and seen_at::date >= coalesce($from::date, '-infinity'::date)
),
lows as materialized (
  select h.snapshot, h.region, h.finish, h.currency, h.low
  from marketplace_price_history h
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  where h.game_id = $game and h.product_id = $id::bigint and h.region is not null
    and h.seen_at >= coalesce((select min(n.seen_at) from nights n where n.game_id = $game and n.snapshot in (select snapshot from read)), '-infinity')
),
listed as (
  select 'marketplace' as chart, k.region as source, k.finish, r.day, k.currency, l.low as price, null::decimal(18, 4) as low,
    null::decimal(18, 4) as high, 'night' as origin
  from read r
  cross join (select distinct region, finish, currency from lows) k
  left join lows l using (snapshot, region, finish, currency)
),
named as (
  select 'sources' as chart, source, if(list_contains($finishes::varchar[], finish), finish, finish || ' (not listed)') as finish, day, currency, price,
    low, high, origin
  from days
)
select chart, source, finish, day::varchar as day, currency, price::varchar as price, low::varchar as low, high::varchar as high, origin
from (from named union all from listed)
order by chart desc, currency, source, not starts_with(finish, 'Standard'), finish, day;
