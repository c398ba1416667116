-- verdicts: the rows of price_trust in any order: where a query joins them, DuckDB would sort them all in vain
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  ts: as in price_trust
create macro trust.verdicts(ts) as table
with numbered as materialized (
  select game_id, snapshot, seen_at, day, row_number() over (partition by game_id order by seen_at desc) as back
  from readings where ts is null or seen_at <= as_time(ts)
),
spans as (
  select game_id, arg_min(snapshot, back) as snapshot, max(day) as day, list(seen_at) as late, min(seen_at) as first_at, game_id in (select game_id from trust.spans) or ts is not null as is_computed
  from numbered where back <= 7 group by game_id
),
prices as (
  select game_id, product_id, finish, source, currency, low, market_value from source_prices where ts is null and market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.low, h.market_value
  from files.source_prices h join spans using (game_id, snapshot) where ts is not null and h.market_value > 0
),
listed as (
  select game_id, product_id, finish, listing_count from marketplace_prices where ts is null and region is null
  union all
  select h.game_id, h.product_id, h.finish, h.listing_count
  from files.marketplace_prices h join spans using (game_id, snapshot) where ts is not null and h.region is null
),
kinds as (
  select game_id, count(*) as sources, game_id in (select game_id from listed where listing_count > 0) as has_listings
  from (select distinct game_id, source from prices) group by game_id
),
rates as (
  select s.game_id, r.currency, arg_max(r.rate, r.day) as rate
  from spans s join fx_rates r on r.day between s.day - 6 and s.day group by all
),
past as materialized (
  from trust.steps(ts) where ts is not null
),
changes as (
  select game_id, product_id, finish, source, seen_at from trust.changes where ts is null
  union all
  select game_id, product_id, finish, source, max(seen_at) from past group by all
),
jumps as (
  from trust.jumps where ts is null
  union all by name
  from past where middle is not null
),
-- The last jump from which the price has not come back.
standing as (
  select p.game_id, p.product_id, p.finish, p.source, max_by({
    jumped_at: j.seen_at, usual: round(exp(j.middle), 4), deviations: round(abs(ln(p.market_value) - j.middle) / j.deviation, 1), set_percent: round(100 * (exp(j.set_move) - 1), 2)
  }, j.seen_at) as jump
  from jumps j join prices p using (game_id, product_id, finish, source, currency) join spans s using (game_id)
  where j.seen_at >= s.first_at and abs(ln(p.market_value) - j.middle) > 5 * j.deviation
  group by all
),
figures as (
  select p.*, j.jump, s.is_computed, k.sources as game_sources, if(k.has_listings, coalesce(l.listing_count, 0), null) as listing_count,
    if(o.market_value is null, 1, 2) as sources,
    case when o.currency = p.currency then o.market_value
      else converted(o.market_value, if(o.currency = 'EUR', 1, other.rate), if(p.currency = 'EUR', 1, own.rate)) end as other_value,
    if(s.is_computed, len(list_filter(s.late, lambda one: one >= coalesce(greatest(c.seen_at, u.seen_at), s.first_at))), null) as unchanged
  from prices p
  join spans s using (game_id)
  join kinds k using (game_id)
  left join listed l using (game_id, product_id, finish)
  left join prices o on o.game_id = p.game_id and o.product_id = p.product_id and o.finish = p.finish and o.source <> p.source
  left join rates own on own.game_id = p.game_id and own.currency = p.currency
  left join rates other on other.game_id = p.game_id and other.currency = o.currency
  left join changes c on c.game_id = p.game_id and c.product_id = p.product_id and c.finish = p.finish and c.source = p.source
  left join (
    select r.game_id, r.product_id, max(r.seen_at) as seen_at from reused_ids r join spans using (game_id) where r.seen_at <= list_max(late) group by all
  ) u on u.game_id = p.game_id and u.product_id = p.product_id
  left join standing j on j.game_id = p.game_id and j.product_id = p.product_id and j.finish = p.finish and j.source = p.source
)
select game_id, product_id, finish, source, currency, market_value,
  case when not is_computed then null
    when jump is not null then 'jump'
    when listing_count = 0 and low > 0 and market_value > 3 * low then 'parked'
    when market_value > 2 * other_value or other_value > 2 * market_value then 'disagree'
    when unchanged = 7 then 'stale'
    when listing_count < 3 then 'thin'
    when sources = 1 and game_sources > 1 then 'single source'
    else 'ok' end as verdict,
  jump.jumped_at, jump.usual, jump.deviations, jump.set_percent, low, other_value, unchanged, listing_count, sources
from figures;
