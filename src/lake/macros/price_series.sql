-- price_series: How a product's price went, day by day, gaps as gaps
-- grain:  one row per (game_id, finish, day)
-- takes:  product: its id; finish_name: one finish, null = all; source_name: sourceEur (default) or sourceUsd; from_day, to_day: days of UTC, null = all there are
-- example: from price_series(9007199254740991, source_name := 'sourceUsd')
-- columns:
--   game_id: the game's id
--   day: of UTC; its last reading counts
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the prices; null = no price that day
--   low: lowest price; null = none
--   mid: middle price; null = none
--   high: highest price; null = none
--   market_value: the source's market value; null = none
--   state: priced; no price = the source has none that day; not in the catalogue; not read = no reading that day
create macro price_series(product, finish_name := null, source_name := 'sourceEur', from_day := null, to_day := null) as table
with of_day as (
  select n.game_id, n.seen_at::date as day, arg_max(n.snapshot, n.place) as snapshot, arg_max(n.seen_at, n.place) as seen_at
  from nights n
  where n.game_id in (select game_id from product_history where product_id = product)
  group by n.game_id, n.seen_at::date
),
days as (
  select g.game_id, unnest(generate_series(
    coalesce(from_day::date, g.first_day)::timestamp, coalesce(to_day::date, g.last_day)::timestamp, interval 1 day
  ))::date as day
  from (select game_id, min(day) as first_day, max(day) as last_day from of_day group by game_id) g
),
finishes as (
  select distinct finish
  from (select unnest(finishes) as finish from product_history where product_id = product)
  where finish = coalesce(finish_name, finish)
),
prices as (
  select game_id, snapshot, finish, currency, low, mid, high, market_value
  from source_price_history
  where product_id = product and source = source_name and finish = coalesce(finish_name, finish)
)
select
  d.game_id,
  d.day,
  product::bigint as product_id,
  f.finish,
  source_name as source,
  p.currency,
  p.low,
  p.mid,
  p.high,
  p.market_value,
  case
    when o.snapshot is null then 'not read'
    when p.snapshot is not null then 'priced'
    when not exists (
      from product_history h
      where h.game_id = d.game_id and h.product_id = product and h.valid_from <= o.seen_at
        and (h.valid_to is null or h.valid_to > o.seen_at)
    ) then 'not in the catalogue'
    else 'no price'
  end as state
from days d
cross join finishes f
left join of_day o on o.game_id = d.game_id and o.day = d.day
left join prices p on p.game_id = d.game_id and p.snapshot = o.snapshot and p.finish = f.finish
order by d.game_id, f.finish, d.day;
