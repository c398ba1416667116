-- set_value_series: How did the value of an expansion and of its cards move? For many expansions, pass null: DuckDB cannot call a macro for each row of another table
-- grain:  one row per (game_id, expansion_id, source, currency, day)
-- takes:  expansion: its id, or its code or name if only one has it, null = all expansions; source_name: sourceEur or sourceUsd, default null = both; with_history: true = use the marketplace's own history for days without a reading, with the cards that it has; days before the first reading have the cards of that reading, default false
-- absent: days without a reading, and days without a priced card
-- example: from set_value_series(305)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion
--   day: UTC; the day's last reading is used, even if it found no change
--   source: sourceEur or sourceUsd
--   currency: of the value
--   value: price of one of every card that was in the expansion that day, each in the cheapest finish that it listed then
--   cards: cards with a price that day
--   like_for_like: index, 100 on the first day; from one priced day to the next it follows only cards that have a price on both
--   compared: cards with a price on this priced day and the one before, and the same product under the id; null = the first day
--   origin: night, or history, as in source_price_history
create macro set_value_series(expansion, source_name := null, with_history := false) as table
with of_day as (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at
  from readings group by game_id, day
),
-- as in product_history, for the few products that were ever in the expansion
versions as (
  select v.game_id, v.product_id, v.expansion_id, v.product_type, v.finishes, v.change, n.seen_at as valid_from,
    lead(n.seen_at) over (partition by v.game_id, v.product_id order by n.place) as valid_to,
    dense_rank() over (order by v.game_id, v.expansion_id)::integer as line
  from files.product_versions v join nights n using (game_id, snapshot)
  where expansion is null or v.product_id in (select product_id from files.product_versions where expansion_id = search.expansion_meant(expansion, 'set_value_series'))
),
-- era: how many products the id had stood for before this version; line: the expansion as a short number, because there may be many cards
members as (
  select v.game_id, v.expansion_id, v.product_id, v.finishes, v.valid_from, coalesce(v.valid_to, 'infinity'::timestamptz) as valid_to,
    count(u.seen_at)::integer as era, v.line
  from versions v
  left join reused_ids u on u.game_id = v.game_id and u.product_id = v.product_id and u.seen_at <= v.valid_from
  where v.change <> 'removed' and v.expansion_id = coalesce(search.expansion_meant(expansion, 'set_value_series'), v.expansion_id) and v.product_type = 'card'
  group by all
),
-- at: the time whose cards count
dated as (
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, d.day, d.seen_at as at, h.origin
  from source_price_history h join of_day d using (game_id, snapshot)
  where h.origin = 'night' and h.market_value > 0
  union all
  select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value, (h.seen_at at time zone 'UTC')::date,
    greatest(h.seen_at, f.seen_at), h.origin
  from source_price_history h
  join (select game_id, min(seen_at) as seen_at from nights group by game_id) f using (game_id)
  where with_history and h.origin = 'history' and h.market_value > 0
),
cheapest as (
  select m.line, h.day, h.source, h.currency, h.product_id, m.era, h.origin, min(h.market_value) as price
  from dated h
  join members m on m.game_id = h.game_id and m.product_id = h.product_id and m.valid_from <= h.at and h.at < m.valid_to
  where list_contains(m.finishes, h.finish) and h.source = coalesce(
    if(source_name is null or source_name in ('sourceEur', 'sourceUsd'), source_name,
      error('set_value_series: source_name must be sourceEur or sourceUsd')),
    h.source
  )
  group by all
),
-- the cards of a day by the day of their price before: one pass over the prices, and few rows
steps as materialized (
  select line, source, currency, day, day_before, origin, era = era_before as is_same, count(*) as cards, sum(price) as price,
    sum(price_before) as price_before
  from (
    select line, source, currency, day, origin, price, era, lag(day) over own as day_before, lag(price) over own as price_before,
      lag(era) over own as era_before
    from cheapest
    window own as (partition by line, product_id, source, currency order by day)
  )
  group by all
),
days as (
  select line, source, currency, day, any_value(origin) as origin, sum(price)::decimal(18, 4) as value, sum(cards)::bigint as cards,
    lag(day) over (partition by line, source, currency order by day) as day_before
  from steps group by line, source, currency, day
),
links as (
  select s.line, s.source, s.currency, s.day, s.cards as compared, s.price::double / s.price_before::double as link
  from steps s
  join days d using (line, source, currency, day, day_before)
  where s.is_same
)
select m.game_id, m.expansion_id, d.day, d.source, d.currency, d.value, d.cards,
  round(100 * product(coalesce(l.link, 1)) over (partition by d.line, d.source, d.currency order by d.day), 4) as like_for_like,
  case when d.day_before is not null then coalesce(l.compared, 0) end as compared, d.origin
from days d
join (select distinct line, game_id, expansion_id from members) m using (line)
left join links l using (line, source, currency, day)
order by m.game_id, m.expansion_id, d.source, d.currency, d.day;
