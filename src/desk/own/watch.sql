-- own_watch: the watched products with their bounds
-- grain:  one row per number
-- reads:  variable own_watchlist, the watchlist as JSON
create or replace temp view own_watch as
select number, "gameId" as game_id, "productId" as product_id, finish, source, below, above, percent as percent_wanted, days
from (select unnest(from_json(getvariable('own_watchlist')::varchar, '[{ "number": "bigint", "gameId": "varchar", "productId": "bigint", "finish": "varchar",
  "source": "varchar", "below": "varchar", "above": "varchar", "percent": "varchar", "days": "bigint" }]'), recursive := true));

-- own_watch_at: the prices of watched products at a game's last reading (back 0) or the one before (back 1)
-- grain:  one row per (number, finish, source) with a market value
-- reads:  own_watch; readings, source_price_history, reused_ids
create or replace temp macro own_watch_at(back) as table
with placed as (
  select game_id, snapshot, seen_at, row_number() over (partition by game_id order by seen_at desc) as place from readings
),
present as (
  select w.*, p.snapshot, p.seen_at from own_watch w join placed p using (game_id) where p.place = 1 + back
),
-- the last reading that is old enough, else the first; none if the id identified another product then
compared as (
  select r.number, r.game_id, r.product_id, r.seen_at as now_at, coalesce(arg_max(p.snapshot, p.seen_at) filter (epoch(r.seen_at) - epoch(p.seen_at) >= (r.days - 0.5) * 86400), arg_min(p.snapshot, p.seen_at)) as snapshot,
    coalesce(max(p.seen_at) filter (epoch(r.seen_at) - epoch(p.seen_at) >= (r.days - 0.5) * 86400), min(p.seen_at)) as seen_at
  from present r join placed p on p.game_id = r.game_id and p.seen_at < r.seen_at
  group by r.number, r.game_id, r.product_id, r.seen_at
),
aged as (
  from compared a
  anti join reused_ids u on u.game_id = a.game_id and u.product_id = a.product_id and u.seen_at > a.seen_at and u.seen_at <= a.now_at
),
prices as (
  from source_price_history h
  semi join own_watch w on w.game_id = h.game_id and w.product_id = h.product_id
  where h.origin = 'night' and h.market_value > 0
)
select r.number, r.game_id, r.product_id, n.finish, n.source, n.currency, n.market_value as price, n.low, r.seen_at, o.market_value as price_before,
  if(o.market_value is null, null, a.seen_at) as seen_before, round(try_cast(100.0 * (n.market_value - o.market_value) / o.market_value as decimal(38, 10)), 2)::double as percent,
  concat_ws(', ', if(n.market_value < r.below::decimal(18, 4), 'below ' || r.below, null), if(n.market_value > r.above::decimal(18, 4), 'above ' || r.above, null),
    if(abs(100.0 * (n.market_value - o.market_value) / o.market_value) >= r.percent_wanted::decimal(18, 4), 'moved ' || r.percent_wanted || ' % or more', null)) as hit
from present r
join prices n on n.game_id = r.game_id and n.product_id = r.product_id and n.snapshot = r.snapshot
left join aged a on a.number = r.number
left join prices o on o.game_id = n.game_id and o.product_id = n.product_id and o.finish = n.finish and o.source = n.source and o.currency = n.currency
  and o.snapshot = a.snapshot
where n.finish = coalesce(r.finish, n.finish) and n.source = coalesce(r.source, n.source);

-- watch_hits: Which of my watched prices have reached their limits?
-- grain:  one row per (number, finish, source)
-- columns:
--   hit: the limits reached; empty = none
--   is_new: true if the limit was not reached at the reading before
--   flags: the verdict of price_trust; empty = ok
create or replace temp macro watch_hits() as table
with now as materialized (from own_watch_at(0))
select n.number, n.game_id, n.product_id, p.name, p.expansion_code, p.print_number, n.finish, n.source, n.currency, n.price, n.price_before, n.seen_before,
  n.percent, n.seen_at, n.hit, n.hit <> '' and (
    coalesce(b.hit, '') = '' or exists (from reused_ids u where u.game_id = n.game_id and u.product_id = n.product_id and u.seen_at > b.seen_at)
  ) as is_new,
  coalesce(nullif(t.verdict, 'ok'), '') as flags
from now n
join products p on p.game_id = n.game_id and p.product_id = n.product_id
left join own_watch_at(1) b on b.number = n.number and b.finish = n.finish and b.source = n.source
left join price_trust() t on t.game_id = n.game_id and t.product_id = n.product_id and t.finish = n.finish and t.source = n.source
order by n.hit = '', n.number, n.finish, n.source;
