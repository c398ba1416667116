-- A product's prices by source and finish, or its last price if there is none now, and its prices at two earlier readings.
-- reads: table priced (priced.sql); $game, $id, $near and $far (the snapshots of the readings compared with; null = none)
with priced as (
  from priced where origin = 'night' and market_value > 0
),
read as (
  select r.snapshot, max(r.seen_at) as seen_at from readings r where r.game_id = $game group by r.snapshot
),
now as (
  from source_prices where game_id = $game and product_id = $id::bigint
),
-- the last reading with a price, and the first one after it
ended as (
  select t.source, t.finish, max(r.seen_at) as last_at, arg_max(t.market_value, r.seen_at) as last_value, arg_max(t.currency, r.seen_at) as last_currency
  from priced t join read r using (snapshot)
  group by t.source, t.finish
),
keys as (select source, finish from ended union select source, finish from now),
rows as (
  select k.source, k.finish, n.is_listed, nullif(n.market_value, 0) as market_value, n.low, coalesce(n.currency, e.last_currency) as currency,
    e.last_value, e.last_currency, e.last_at,
    (select min(r.seen_at) from readings r where r.game_id = $game and r.seen_at > e.last_at) as none_since,
    p.market_value as near_value, p.currency as near_currency, f.market_value as far_value, f.currency as far_currency
  from keys k
  left join now n using (source, finish)
  left join ended e using (source, finish)
  left join priced p on p.snapshot = $near and p.source = k.source and p.finish = k.finish
  left join priced f on f.snapshot = $far and f.source = k.source and f.finish = k.finish
)
select *,
  case when near_currency = currency then round(try_cast(100.0 * (market_value - near_value) / near_value as decimal(38, 10)), 2)::double end as near_percent,
  case when far_currency = currency then round(try_cast(100.0 * (market_value - far_value) / far_value as decimal(38, 10)), 2)::double end as far_percent
from rows
order by market_value is null, is_listed is distinct from true, finish <> 'Standard', finish, source;
