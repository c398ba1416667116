-- movers: Which prices moved most since so many days ago?
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  days: how far back, to the last reading before, 7; min_price: the higher of both prices is at least this, 1; min_listings: live listings of the finish, all regions, 0; source_name: sourceEur or sourceUsd, null = both
-- example: from movers(days := 30, min_price := 5)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   expansion_code: its expansion's code; null = none
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   old: market value then
--   new: market value now
--   change: new less old
--   percent: change in percent of old; null = old is 0
--   listing_count: live listings of the finish now; 0 = none
--   is_outlier: whether the move is far from all others of its game and source: more than six robust deviations (of the logarithm, by the median) from the median move
--   seen_before: when the old price was read
--   seen_at: when the new price was read
create macro movers(days := 7, min_price := 1, min_listings := 0, source_name := null) as table
with last as (select game_id, arg_max(snapshot, place) as snapshot, arg_max(seen_at, place) as seen_at from nights group by game_id),
before as (
  select n.game_id, arg_max(n.kept_in, n.place) as kept_in, arg_max(n.snapshot, n.place) as snapshot
  from nights n join last l using (game_id)
  -- half a day of slack: nights begin and end a little later or earlier
  where epoch(l.seen_at) - epoch(n.seen_at) >= 86400 * days - 43200
  group by n.game_id
),
moves as (
  select p.game_id, p.product_id, p.finish, p.source, p.currency, o.market_value as old, p.market_value as new,
    o.seen_at as seen_before, ln(p.market_value / nullif(o.market_value, 0)) as move
  from source_prices p
  join (
    select h.* from source_price_history h join before using (game_id, kept_in, snapshot)
    anti join reused_ids r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > h.seen_at
  ) o
    on o.game_id = p.game_id and o.product_id = p.product_id and o.finish = p.finish and o.source = p.source
      and o.currency = p.currency
  where p.market_value <> o.market_value and p.source = coalesce(source_name, p.source)
    and greatest(p.market_value, o.market_value) >= min_price
),
usual as (
  select game_id, source, median(move) as middle, mad(move) * 1.4826 as deviation from moves group by game_id, source
),
listed as (select game_id, product_id, finish, listing_count from marketplace_prices where region is null)
select m.game_id, m.product_id, c.name, c.expansion_code, m.finish, m.source, m.currency, m.old, m.new, m.new - m.old as change,
  round(100.0 * (m.new - m.old) / nullif(m.old, 0), 2) as percent, coalesce(s.listing_count, 0) as listing_count,
  coalesce(abs(m.move - u.middle) > 6 * u.deviation, m.move is null) as is_outlier, m.seen_before, l.seen_at
from moves m
join usual u using (game_id, source)
join last l using (game_id)
join products c on c.game_id = m.game_id and c.product_id = m.product_id
left join listed s on s.game_id = m.game_id and s.product_id = m.product_id and s.finish = m.finish
where coalesce(s.listing_count, 0) >= min_listings
order by abs(m.new - m.old) desc, m.product_id, m.finish, m.source;
