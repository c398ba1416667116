-- set_value_series: How did the value of a whole expansion move, and how did its cards?
-- grain:  one row per (game_id, source, currency, day)
-- takes:  expansion: its id; source_name: sourceEur or sourceUsd, null = both
-- absent: days without a reading, and those on which no card is priced
-- example: from set_value_series(305)
-- columns:
--   game_id: the game's id
--   day: UTC; its last reading counts, even if it found nothing new
--   source: sourceEur or sourceUsd
--   currency: of the value
--   value: one of every card that was in the expansion that day, each in its cheapest finish that it listed then
--   cards: cards with a price that day
--   like_for_like: 100 on the first day; then it moves from one priced day to the next as the value of only those cards that have a price on both
--   compared: cards with a price on this priced day and the one before, whose id still stands for the same product; null = the first day
create macro set_value_series(expansion, source_name := null) as table
with of_day as (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at
  from readings group by game_id, day
),
-- as in product_history, for the few products that were ever in the expansion
versions as (
  select v.game_id, v.product_id, v.expansion_id, v.product_type, v.finishes, v.change, n.seen_at as valid_from,
    lead(n.seen_at) over (partition by v.game_id, v.product_id order by n.place) as valid_to
  from files.product_versions v join nights n using (game_id, snapshot)
  where v.product_id in (select product_id from files.product_versions where expansion_id = expansion)
),
members as (
  select game_id, product_id, finishes, valid_from, coalesce(valid_to, 'infinity'::timestamptz) as valid_to
  from versions where change <> 'removed' and expansion_id = expansion and product_type = 'card'
),
cheapest as materialized (
  select h.game_id, d.day, h.source, h.currency, h.product_id, min(h.market_value) as price
  from source_price_history h
  join of_day d using (game_id, snapshot)
  join members m on m.game_id = h.game_id and m.product_id = h.product_id and m.valid_from <= d.seen_at and d.seen_at < m.valid_to
  where h.market_value > 0 and list_contains(m.finishes, h.finish) and h.source = coalesce(
    if(source_name is null or source_name in ('sourceEur', 'sourceUsd'), source_name,
      error('set_value_series: source_name must be sourceEur or sourceUsd')),
    h.source
  )
  group by all
),
days as (
  select game_id, source, currency, day, sum(price)::decimal(18, 4) as value, count(*) as cards,
    lag(day) over (partition by game_id, source, currency order by day) as day_before
  from cheapest group by game_id, source, currency, day
),
steps as (
  select *, lag(day) over dated as day_before, lag(price) over dated as price_before
  from cheapest
  window dated as (partition by game_id, source, currency, product_id order by day)
),
reused as (select u.game_id, u.product_id, n.day from reused_ids u join nights n using (game_id, snapshot)),
links as (
  select s.game_id, s.source, s.currency, s.day, count(*) as compared, sum(s.price)::double / sum(s.price_before)::double as link
  from steps s
  join days d using (game_id, source, currency, day, day_before)
  anti join reused u on u.game_id = s.game_id and u.product_id = s.product_id and u.day > s.day_before and u.day <= s.day
  group by all
)
select d.game_id, d.day, d.source, d.currency, d.value, d.cards,
  round(100 * product(coalesce(l.link, 1)) over (partition by d.game_id, d.source, d.currency order by d.day), 4) as like_for_like,
  case when d.day_before is not null then coalesce(l.compared, 0) end as compared
from days d left join links l using (game_id, source, currency, day)
order by d.game_id, d.source, d.currency, d.day;
