-- release_decay: How do prices fall after an expansion's release?
-- grain:  one row per (game_id, expansion_id, kind, source, week)
-- takes:  max_weeks: weeks after the release, 26; min_price: lowest market value in the first week read, 1
-- absent: weeks without a reading, prices of another product that the id stood for before (reused_ids)
-- example: from release_decay(max_weeks := 400)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   expansion_name: its name
--   kind: card, or the kind of sealed product such as booster_box
--   source: sourceEur or sourceUsd
--   week: whole weeks since the release date
--   products: priced products and finishes of the week that were also priced in the first week read
--   median_percent: median price in percent of the first week read; the last reading of a week counts, even if it found nothing new
create macro release_decay(max_weeks := 26, min_price := 1) as table
with weekly as (
  select h.game_id, p.expansion_id, coalesce(p.product_category, p.product_type) as kind, h.product_id, h.finish, h.source, h.currency,
    (epoch_ms(r.seen_at) - epoch_ms(e.release_date)) // 604800000 as week, arg_max(h.market_value, r.seen_at) as price
  from source_price_history h
  join readings r using (game_id, snapshot)
  anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
  join products p on p.game_id = h.game_id and p.product_id = h.product_id
  join expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
  where h.origin = 'night' and h.market_value > 0 and r.seen_at >= e.release_date
    and (epoch(r.seen_at) - epoch(e.release_date)) / 604800 < if(max_weeks > 0 and max_weeks = floor(max_weeks), max_weeks, error('release_decay: max_weeks must be more than 0, and whole')::integer)
  group by all
),
first_week as (select game_id, expansion_id, kind, source, min(week) as week from weekly group by all),
base as (
  select w.game_id, w.product_id, w.finish, w.source, w.currency, w.price
  from weekly w join first_week f using (game_id, expansion_id, kind, source, week)
  where w.price >= if(min_price is null, error('release_decay: min_price is null'), min_price)
)
select w.game_id, w.expansion_id, e.name as expansion_name, w.kind, w.source, w.week, count(*) as products,
  round(median(100.0 * w.price / b.price), 2) as median_percent
from weekly w
join base b using (game_id, product_id, finish, source, currency)
join expansions e on e.game_id = w.game_id and e.expansion_id = w.expansion_id
group by w.game_id, w.expansion_id, e.name, w.kind, w.source, w.week
order by w.game_id, w.expansion_id, w.kind, w.source, w.week;
