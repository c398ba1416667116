-- The data of a game that spreads need, and the rate for its dollars.
-- reads: $game
with listed as (
  select bool_or(region = 'eu') as in_eu, bool_or(region = 'na') as in_na
  from marketplace_prices where game_id = $game and listing_count > 0
),
priced as (
  select bool_or(source = 'sourceEur' and market_value > 0) as by_eur, bool_or(source = 'sourceUsd' and market_value > 0) as by_usd,
    bool_or(mid > 0 and (low is not null or high is not null)) as quoted, count(high) > 0 as has_highs
  from source_prices where game_id = $game
),
last as (select max(day) as day from readings where game_id = $game)
select coalesce(l.in_eu, false) as in_eu, coalesce(l.in_na, false) as in_na, coalesce(p.by_eur, false) as by_eur, coalesce(p.by_usd, false) as by_usd,
  coalesce(p.quoted, false) as quoted, p.has_highs, (select count(*) from fx_rates) > 0 as has_rates, d.day::varchar as read_on,
  (select any_value(rate_date)::varchar from fx_daily f where f.currency = 'USD' and f.day = d.day) as rate_on
from listed l cross join priced p cross join last d
