-- release_decay: How do prices fall after an expansion's release?
-- grain:  one row per (game_id, expansion_id, kind, source, week)
-- takes:  max_weeks: weeks after the release, default 26; min_price: minimum market value in the first week read, default 1; with_history: true = use the marketplace's own history for days without a reading, default false
-- absent: weeks without a reading, and prices of another product that had the id before (reused_ids)
-- example: from release_decay(max_weeks := 400)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   expansion_name: its name
--   kind: card, or the kind of sealed product such as booster_box
--   source: sourceEur or sourceUsd
--   week: whole weeks since the release date
--   products: products and finishes with a price both in this week and in the first week read
--   history_products: those of them whose price is from the marketplace's history
--   median_percent: median price in percent of the first week read; the last reading of each week is used, even if it found no change
create macro release_decay(max_weeks := 26, min_price := 1, with_history := false) as table
with priced as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, r.seen_at as read_at, h.origin
  from source_price_history h join readings r using (game_id, snapshot)
  where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, h.seen_at, h.seen_at, h.origin
  from source_price_history h
  where with_history and h.origin = 'history' and h.market_value > 0
),
weekly as (
  select h.game_id, p.expansion_id, coalesce(p.product_category, p.product_type) as kind, h.product_id, h.finish, h.source, h.currency,
    (epoch_ms(h.read_at) - epoch_ms(e.release_date)) // 604800000 as week, arg_max(h.market_value, h.read_at) as price,
    arg_max(h.origin, h.read_at) as origin
  from priced h
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  join products p on p.game_id = h.game_id and p.product_id = h.product_id
  join expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
  where h.read_at >= e.release_date
    and (epoch(h.read_at) - epoch(e.release_date)) / 604800 < if(max_weeks > 0 and max_weeks = floor(max_weeks), max_weeks, error('release_decay: max_weeks must be more than 0, and whole')::integer)
  group by all
),
first_week as (select game_id, expansion_id, kind, source, min(week) as week from weekly group by all),
base as (
  select w.game_id, w.product_id, w.finish, w.source, w.currency, w.price
  from weekly w join first_week f using (game_id, expansion_id, kind, source, week)
  where w.price >= if(min_price is null, error('release_decay: min_price is null'), min_price)
)
select w.game_id, w.expansion_id, e.name as expansion_name, w.kind, w.source, w.week, count(*) as products,
  count(*) filter (w.origin = 'history') as history_products, round(try_cast(median(100.0 * w.price / b.price) as decimal(38, 10)), 2)::double as median_percent
from weekly w
join base b using (game_id, product_id, finish, source, currency)
join expansions e on e.game_id = w.game_id and e.expansion_id = w.expansion_id
group by w.game_id, w.expansion_id, e.name, w.kind, w.source, w.week
order by w.game_id, w.expansion_id, w.kind, w.source, w.week;
