-- backfill_against_nights: Does the marketplace's own price history agree with our readings? For days that both have
-- grain:  one row per (game_id, product_id, finish, source, day)
-- absent: days without a reading of the game, and days without the product in the marketplace's history
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name; null = it is no longer in the catalogue
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   day: UTC; our last reading of the day. The marketplace may have updated its prices later that day
--   currency: currency of our prices; if we have none, of theirs
--   their_currency: currency of theirs; null = none
--   ours: market value in our reading; null = none
--   theirs: market value in the marketplace's history; null = none
--   percent: (theirs − ours) in percent of ours; null = one is missing or 0, or the currencies differ
--   our_low: lowest price in our reading; null = none
--   their_low: lowest price in the marketplace's history; null = none
--   finding: same = market value, low, mid and high are equal; differs = at least one differs; other currency = the currencies differ; ours only = not in the marketplace's history; theirs only = not in our reading
create view backfill_against_nights as
with of_day as (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot from readings group by game_id, day
),
history as (
  select b.*, o.snapshot from backfilled_prices b join of_day o using (game_id, day)
),
both_have as (select distinct game_id, product_id, day, snapshot from history),
nightly as (
  select h.game_id, h.product_id, h.finish, h.source, d.day, h.currency, h.low, h.mid, h.high, h.market_value
  from source_price_history h join both_have d using (game_id, product_id, snapshot)
  where h.origin = 'night'
),
compared as (
  select game_id, product_id, finish, source, day, coalesce(n.currency, h.currency) as currency,
    h.currency as their_currency, n.market_value as ours,
    h.market_value as theirs, n.low as our_low, h.low as their_low,
    case
      when h.source is null then 'ours only'
      when n.source is null then 'theirs only'
      when n.currency <> h.currency then 'other currency'
      when (n.low, n.mid, n.high, n.market_value) is not distinct from (h.low, h.mid, h.high, h.market_value) then 'same'
      else 'differs'
    end as finding
  from nightly n full join history h using (game_id, product_id, finish, source, day)
)
select c.game_id, c.product_id, p.name, c.finish, c.source, c.day, c.currency, c.their_currency, c.ours, c.theirs,
  case when c.ours > 0 and c.theirs > 0 and c.currency = c.their_currency then round(try_cast(100.0 * (c.theirs - c.ours) / c.ours as decimal(38, 10)), 2)::double end as percent, c.our_low, c.their_low,
  c.finding
from compared c left join products p using (game_id, product_id);
