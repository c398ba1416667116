-- Why a question about prices has no rows: the first cause that holds in each game, null if there is another.
-- grain:  one row per (game_id)
-- reads:  compared (compared_days.sql), $needs (what the question asks for: moves, prices, listings, rates), $source (null = both), $source_title,
--   $currency (null = any), $days, $since, $until, $min_price, $min_listings, $with_history, $rest (what else leaves out moves)
, newer as (
  select game_id, source, market_value from source_prices where $until::date is null
  union all
  select h.game_id, h.source, h.market_value
  from source_price_history h join compared c on c.game_id = h.game_id and c.last_snapshot = h.snapshot
  where $until::date is not null and h.origin = 'night'
),
priced as (
  select game_id, count(*) as prices from newer where market_value > 0 and source = coalesce($source, source) group by game_id
),
priced_before as (
  select h.game_id, count(*) as prices
  from source_price_history h join compared c on c.game_id = h.game_id and c.before_snapshot = h.snapshot
  where h.origin = 'night' and h.market_value > 0 and h.source = coalesce($source, h.source)
  group by h.game_id
),
listed as (
  select game_id, count(*) as listings from marketplace_prices where $until::date is null and listing_count > 0 group by game_id
  union all
  select h.game_id, count(*)
  from marketplace_price_history h join compared c on c.game_id = h.game_id and c.last_snapshot = h.snapshot
  where $until::date is not null and h.listing_count > 0
  group by h.game_id
),
moved as (
  select game_id, count(*) as moves, count(*) filter (not is_dear) as cheap, count(*) filter (is_dear and not is_offered) as unlisted,
    count(*) filter (is_dear and is_offered and not is_currency) as elsewhere, count(*) filter (is_dear and is_offered and is_currency) as others
  from (
    select game_id, greatest(old, new) >= $min_price::decimal(18, 4) as is_dear, listing_count >= $min_listings::bigint as is_offered,
      currency = coalesce($currency, currency) as is_currency
    from movers(days := $days::integer, min_price := 0, min_listings := 0, source_name := $source::varchar, since := $since::date, until := $until::date, with_history := $with_history)
    -- a constant for the planner, which then leaves out the whole search for moves
    where contains($needs, 'moves')
  )
  group by game_id
),
facts as (
  select c.*, coalesce(p.prices, 0) as prices, coalesce(b.prices, 0) as prices_before, coalesce(l.listings, 0) as listings,
    coalesce(m.moves, 0) as moves, coalesce(m.cheap, 0) as cheap, coalesce(m.unlisted, 0) as unlisted, coalesce(m.elsewhere, 0) as elsewhere, coalesce(m.others, 0) as others,
    (select count(*) from fx_rates) as rates, c.last_at::date as last_on, if($with_history and not c.is_old, 'days of the marketplace''s own history, or the first reading,', c.before_at::date::varchar) as before_on
  from compared c
  left join priced p using (game_id)
  left join priced_before b using (game_id)
  left join listed l using (game_id)
  left join moved m using (game_id)
),
judged as (
  select *, case
    when contains($needs, 'rates') and rates = 0 then 'no rates'
    when contains($needs, 'moves') and last_at is null then 'too young'
    when (contains($needs, 'prices') or contains($needs, 'moves')) and prices = 0 then 'no prices'
    when contains($needs, 'listings') and listings = 0 then 'no listings'
    when not contains($needs, 'moves') then null
    when before_at is null and moves = 0 then 'too young'
    when prices_before = 0 and moves = 0 then 'no prices'
    when moves = 0 then 'nothing moved'
    when $min_listings::bigint > 0 and listings = 0 then 'no listings'
    else 'filtered out'
  end as cause
  from facts
)
select game_id, cause, case cause
  when 'no rates' then 'no exchange rates are loaded. Load them with: cardlake fx'
  when 'no prices' then 'no product ' || if(prices = 0, 'has', 'had') || ' a market value' || coalesce(' from ' || $source_title, '') || ' in the '
    || if(prices = 0, 'last reading (' || last_on || ')', 'reading of ' || before_on || ', which ' || last_on || ' is compared with')
  when 'no listings' then 'the marketplace had no live listings in the last reading (' || last_on || ')'
  when 'too young' then if(last_at is null, 'the game was not read until ' || $until, 'until ' || coalesce($until, 'now') || ' the game was read only on ' || last_on || '. Changes appear after the next night')
  when 'nothing moved' then 'no market value changed from ' || before_on || ' to ' || last_on
  when 'filtered out' then moves || if(moves = 1, ' price', ' prices') || ' moved from ' || before_on || ' to ' || last_on || ', but all are filtered out: '
    || array_to_string(list_filter([
      if(cheap > 0, cheap || ' below the minimum price of ' || $min_price, null),
      if(unlisted > 0, unlisted || ' with fewer live listings than ' || $min_listings, null),
      if(elsewhere > 0, elsewhere || ' in another currency than ' || $currency, null),
      if(others > 0, others || ' ' || $rest, null)
    ], lambda part: part is not null), ', ')
end as says
from judged
order by game_id
