-- movers: Which prices moved most over a number of days, or between two days?
-- grain:  one row per (game_id, product_id, finish, source)
-- needs:  moves
-- takes:  days: age of the older reading in days, default 7; min_price: minimum of the higher price, default 1; min_listings: minimum live listings of the finish in all regions, default 0; source_name: sourceEur or sourceUsd, default null = both; by_percent: true = sort by percent instead of by change, default false; with_history: true = if no reading is old enough, use the marketplace's own history, at most a week older than days, default false; since: day of the older reading (or the last before it), instead of days; until: day of the newer reading (or the last before it), default null = the last reading; thin_listings, stale_readings, far_times: limits of is_thin, is_stale and is_far, default 3, 7 and 3
-- absent: prices that did not change, and prices that are missing in one of the readings. If no reading is old enough, the first one is used (see days_between). A game without rows has one of these causes, which the terminal and the page show: no prices; too young (no earlier reading); nothing moved; no listings (with min_listings); filtered out. There is never the cause no rates, because prices stay in their currency
-- example: from movers(days := 14, min_price := 5)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   expansion_code: its expansion's code; null = none
--   finish: such as Standard or Foil
--   is_listed: true if the product lists the finish
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   old: market value at the older reading
--   new: market value at the newer reading
--   change: new minus old
--   percent: change in percent of old
--   listing_count: live listings of the finish now; 0 = none
--   is_outlier: true if the move differs greatly from others of its game and source: by more than six robust deviations (of the logarithm, from the median, at least 0.05) from the median move of all prices in both readings, changed or not
--   reverted: true if the price was a spike that reverted: since seen_before a price differed from new by a factor of at least 1.2, and an earlier price differed from new by at most a quarter of that (of the logarithm). It looks `days` days back and forward from seen_before, at most 14. If old is from the marketplace's history, days of that count as readings. A price that returned exactly to old has no row
--   is_thin: true if the finish has fewer than three live listings, in a game with listings
--   is_stale: true if the last seven readings all have the new price
--   is_far: true if the new price is more than three times the source's low
--   seen_before: time of the last reading with the old price; start of the day if it is from the marketplace's history
--   seen_at: time of the last reading with the new price
--   days_between: actual number of days between the two readings
--   old_origin: night = the old price was read by us; history = it is from the marketplace's history
--   verdict: of the new price, as in price_trust: jump, parked, disagree, stale, thin, single source or ok; null = not computed
create macro movers(days := 7, min_price := 1, min_listings := 0, source_name := null, by_percent := false, with_history := false,
  since := null, until := null, thin_listings := 3, stale_readings := 7, far_times := 3) as table
with last as (
  select game_id, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at, max(day) as day
  from readings where until is null or day <= as_day(until, 'movers: until')
  group by game_id
),
-- ids that had passed to another product by then
passed as (
  select r.game_id, r.product_id, r.seen_at from reused_ids r join last l using (game_id) where r.seen_at <= l.seen_at
),
-- half a day of slack: nights begin and end a little later or earlier
aged as (
  select r.game_id, r.snapshot, r.seen_at, if(since is null,
    (epoch(l.seen_at) - epoch(r.seen_at)) / 86400 >= if(days >= 1 and days = floor(days), days, error('movers: days must be 1 or more, and whole')::integer) - 0.5,
    r.day <= as_day(since, 'movers: since')) as is_old
  from readings r join last l using (game_id)
  where r.seen_at < l.seen_at
),
-- where no reading is old enough, and somebody asks for it
past as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, arg_max(h.market_value, h.day) as market_value,
    max(h.day)::timestamp at time zone 'UTC' as seen_at, 'history' as origin
  from backfilled_prices h join last l on l.game_id = h.game_id
  anti join (from aged where is_old) b on b.game_id = h.game_id
  anti join readings d on d.game_id = h.game_id and d.day = h.day
  anti join passed r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > h.day::timestamp at time zone 'UTC'
  where with_history and h.market_value > 0 and h.day < l.day
    and (l.day - h.day) - if(since is null, days::bigint, l.day - as_day(since, 'movers: since')) between 0 and 7
  -- not by row_number: DuckDB 1.5 fails where it looks for the first row over this view
  group by h.game_id, h.product_id, h.finish, h.source, h.currency
),
-- the last reading that is old enough, else the first
before as (
  select b.*, n.seen_at as read_at
  from (
    select game_id, coalesce(arg_max(snapshot, seen_at) filter (is_old), arg_min(snapshot, seen_at)) as snapshot,
      coalesce(max(seen_at) filter (is_old), min(seen_at)) as seen_at
    from aged
    where is_old or game_id not in (select game_id from past)
    group by game_id
  ) b
  join nights n using (game_id, snapshot)
),
-- what was known at the newer reading
known as (
  select game_id, product_id, name, expansion_code, null::varchar[] as finishes from products where until is null
  union all
  select h.game_id, h.product_id, h.name, h.expansion_code, h.finishes
  from product_history h join last l using (game_id)
  where until is not null and h.valid_from <= l.seen_at and (h.valid_to is null or h.valid_to > l.seen_at)
),
newer as (
  select game_id, product_id, finish, source, currency, is_listed, low, market_value from source_prices where until is null and market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, null, h.low, h.market_value
  from source_price_history h join last using (game_id, snapshot)
  where until is not null and h.origin = 'night' and h.market_value > 0
),
listed as (
  select game_id, product_id, finish, listing_count from marketplace_prices where until is null and region is null
  union all
  select h.game_id, h.product_id, h.finish, h.listing_count
  from marketplace_price_history h join last using (game_id, snapshot)
  where until is not null and h.region is null
),
with_listings as (
  select distinct game_id from listed where listing_count > 0
),
priced as (
  select p.game_id, p.product_id, p.finish, p.source, p.currency, p.is_listed, p.low, o.market_value as old, p.market_value as new,
    ln(p.market_value / o.market_value) as move, o.seen_at as seen_before, o.origin as old_origin
  from newer p
  join (
    select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, b.seen_at, h.origin
    from source_price_history h join before b using (game_id, snapshot)
    anti join passed r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > b.read_at
    where h.origin = 'night'
    union all
    from past
  ) o
    on o.game_id = p.game_id and o.product_id = p.product_id and o.finish = p.finish and o.source = p.source
      and o.currency = p.currency
  where o.market_value > 0 and (source_name is null
    or p.source = if(source_name in ('sourceEur', 'sourceUsd'), source_name, error('movers: source_name must be sourceEur or sourceUsd')))
),
usual as (
  select game_id, source, median(move) as middle, greatest(mad(move) * 1.4826, 0.05) as deviation from priced group by game_id, source
),
moves as materialized (
  select hash(m.game_id, m.product_id, m.finish, m.source, m.currency) as key, m.game_id, m.product_id, c.name, c.expansion_code, m.finish, coalesce(m.is_listed, list_contains(c.finishes, m.finish)) as is_listed, m.source,
    m.currency, m.low, m.old, m.new, m.new - m.old as change, round(try_cast(100.0 * (m.new - m.old) / m.old as decimal(38, 10)), 2)::double as percent, coalesce(s.listing_count, 0) as listing_count,
    abs(m.move - u.middle) > 6 * u.deviation as is_outlier, m.seen_before, l.seen_at,
    round((epoch(l.seen_at) - epoch(m.seen_before)) / 86400, 1) as days_between, m.old_origin
  from priced m
  join usual u using (game_id, source)
  join last l using (game_id)
  join known c on c.game_id = m.game_id and c.product_id = m.product_id
  left join listed s on s.game_id = m.game_id and s.product_id = m.product_id and s.finish = m.finish
  where m.new <> m.old and greatest(m.new, m.old) >= if(min_price is null, error('movers: min_price is null'), min_price)
    and coalesce(s.listing_count, 0) >= if(min_listings = floor(min_listings), min_listings, error('movers: min_listings is null or not whole')::bigint)
),
-- the last readings of a game whose older one is before them: what moved within them is not stale
late as (
  select game_id, list_distinct(array_agg(snapshot)) as snapshots
  from (
    select r.game_id, r.snapshot, r.seen_at, b.seen_at as before_at, row_number() over (partition by r.game_id order by r.seen_at desc) as place
    -- an old price of the service's history is before all readings
    from readings r join last l using (game_id) left join before b using (game_id)
    where r.seen_at <= l.seen_at
  )
  where place <= stale_readings
  group by game_id
  having count(*) = stale_readings and min(seen_at) > coalesce(any_value(before_at), '-infinity'::timestamptz)
),
-- when the older prices are from: one reading, or days of the service's history
older as (
  select game_id, seen_at as first_at, seen_at as last_at from before
  union all
  select game_id, min(seen_at), max(seen_at) from past group by game_id
),
-- those, and the readings of as many days before the older one and after it. `read_at` is when the night was, in whose time ids passed to others:
-- the history would look it up for each of its prices
span as materialized (
  select r.game_id, r.snapshot, any_value(n.seen_at) as read_at, min(r.seen_at) filter (is_near) as seen_at, coalesce(bool_or(is_near), false) as is_around,
    coalesce(max(r.seen_at) filter (is_near) >= any_value(r.before_at), false) as is_since, coalesce(list_contains(any_value(t.snapshots), r.snapshot), false) as is_late,
    any_value(len(t.snapshots)) as late
  from (
    select r.game_id, r.snapshot, r.seen_at, b.first_at as before_at,
      greatest(epoch(b.first_at) - epoch(r.seen_at), epoch(r.seen_at) - epoch(b.last_at)) / 86400 <= least(days, 14) + 0.5 as is_near
    from readings r join last l using (game_id) join older b using (game_id)
    where r.seen_at <= l.seen_at
  ) r
  join nights n using (game_id, snapshot)
  left join late t using (game_id)
  group by r.game_id, r.snapshot
),
-- which of them are stale, and which were far from `new` since, by one number a price: two that share it only give `path` one to look at in vain
held as materialized (
  select h.key, h.high >= 1.2 * m.new or 1.2 * h.low <= m.new as has_swung, h.readings = h.late and h.least = m.new and h.most = m.new as is_stale
  from (
    select h.key, max(h.market_value) filter (h.is_since) as high, min(h.market_value) filter (h.is_since and h.market_value > 0) as low,
      max(h.market_value) filter (h.is_late) as most, min(h.market_value) filter (h.is_late) as least, count(*) filter (h.is_late) as readings, any_value(h.late) as late
    from (
      select hash(h.game_id, h.product_id, h.finish, h.source, h.currency) as key, h.market_value, s.is_since, s.is_late, s.late
      from source_price_history h join (from span where is_since or is_late) s using (game_id, snapshot)
      where h.origin = 'night'
    ) h
    semi join moves using (key)
    group by h.key
  ) h
  join (select key, new from moves) m using (key)
),
swung as materialized (
  select m.game_id, m.product_id, m.finish, m.source, m.currency, m.new, m.seen_before
  from moves m where m.old_origin = 'history' or m.key in (select key from held where has_swung)
),
-- the readings are chosen in each half, because DuckDB would look for these few prices in every night of the history first
around as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, s.read_at, s.seen_at, true as is_since
  from source_price_history h join (from span where is_since) s using (game_id, snapshot) where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, s.read_at, s.seen_at, false
  from source_price_history h join (from span where is_around and not is_since) s using (game_id, snapshot) where h.origin = 'night' and h.market_value > 0
  union all
  -- beside an old price of the service's history, its days count as readings
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, h.seen_at, null
  from source_price_history h join last l using (game_id)
  where with_history and h.origin = 'history' and h.market_value > 0 and h.seen_at < l.seen_at and h.game_id in (select game_id from past)
),
path as materialized (
  select g.game_id, g.product_id, g.finish, g.source, h.seen_at, abs(ln(h.market_value / g.new)) as distance,
    coalesce(h.is_since, h.seen_at >= g.seen_before) and (h.market_value >= 1.2 * g.new or 1.2 * h.market_value <= g.new) as is_far
  from (from around semi join (select distinct product_id from swung) using (product_id)) h
  join swung g on g.game_id = h.game_id and g.product_id = h.product_id and g.finish = h.finish and g.source = h.source
    and g.currency = h.currency and abs(epoch(h.seen_at) - epoch(g.seen_before)) / 86400 <= least(days, 14) + 0.5
  anti join passed u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.read_at
),
spikes as (
  select distinct f.game_id, f.product_id, f.finish, f.source
  from (from path where is_far) f
  join path n on n.game_id = f.game_id and n.product_id = f.product_id and n.finish = f.finish and n.source = f.source
    and n.seen_at <= f.seen_at and n.distance <= f.distance / 4
)
select m.* exclude (key, low, seen_before, seen_at, days_between, old_origin), s.product_id is not null as reverted,
  m.game_id in (from with_listings) and m.listing_count < thin_listings as is_thin,
  coalesce(t.is_stale, false) as is_stale, coalesce(m.low > 0 and m.new > far_times * m.low, false) as is_far,
  m.seen_before, m.seen_at, m.days_between, m.old_origin, v.verdict
from moves m
left join trust.verdicts(as_day(until) + interval '86399.999999 seconds') v using (game_id, product_id, finish, source)
left join spikes s using (game_id, product_id, finish, source)
left join held t using (key)
order by if(by_percent, abs(percent)::double, abs(change)::double) desc, product_id, finish, source;
