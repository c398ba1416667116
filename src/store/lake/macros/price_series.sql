-- price_series: How did a product's price move, day by day? Gaps are not filled. Days without a reading have the prices of the marketplace's own history, if cardlake backfill loaded them. While the id belonged to another product (reused_ids), the product was not in the catalogue. For many products, pass null: DuckDB cannot call a macro for each row of another table
-- grain:  one row per (game_id, product_id, finish, day)
-- takes:  product: its id, or its name or number if only one has it, null = all products (requires from_day); finish_name: one finish, default null = all; source_name: sourceEur or sourceUsd, default null = for each product the one that has prices of it; from_day, to_day: UTC days, default null = all; first_source: the source that null means where both have prices, default sourceEur
-- example: from price_series(12314, source_name := 'sourceUsd')
-- columns:
--   game_id: the game's id
--   day: UTC; the day's last reading is used, even if it found no change
--   product_id: the product's id
--   finish: such as Standard or Foil; every finish that the product ever listed or that has a price
--   is_listed: true if the product listed the finish that day; false = a price of a finish that the product does not list; null = not in the catalogue, or not read
--   source: sourceEur or sourceUsd: the one asked for, or that has prices of the product
--   currency: of the prices; null = no price block that day
--   low: lowest price; null = none
--   mid: middle price; null = none
--   high: highest price; null = none
--   market_value: the source's market value; null = none, or 0, which is not a price
--   state: priced; no price = no market value above 0 that day; not in the catalogue; not read = no reading that day, and not in the marketplace's history
--   origin: night = read by us; history = from the marketplace's history, because there was no reading that day; null = neither
create macro price_series(product, finish_name := null, source_name := null, from_day := null, to_day := null, first_source := 'sourceEur') as table
-- the product of a name is searched once; an id is compared as a constant, which skips files
with meant as materialized (
  select search.product_meant(product, 'price_series') as product_id
),
-- ids that had passed to another product by the last day
passed as (
  select game_id, product_id, seen_at from reused_ids where (seen_at at time zone 'UTC')::date <= coalesce(as_day(to_day, 'price_series: to_day'), 'infinity'::date)
),
versions as materialized (
  select v.game_id, v.product_id, v.finishes, v.valid_from, v.valid_to
  -- as in product_history, for the versions of one product: DuckDB would number those of all to find a name's
  from (
    select v.game_id, v.product_id, v.finishes, v.change, n.seen_at as valid_from,
      lead(n.seen_at) over (partition by v.game_id, v.product_id order by n.place) as valid_to
    from files.product_versions v join nights n using (game_id, snapshot)
    where case
      when product is not null then v.product_id = case when try_cast(product as bigint) is not null then try_cast(product as bigint) else (select product_id from meant) end
      else if(from_day is null, error('price_series: a null product means all products: give from_day, too')::boolean, true)
    end
  ) v
  anti join passed r on r.game_id = v.game_id and r.product_id = v.product_id and r.seen_at > v.valid_from
  where v.change <> 'removed'
),
of_day as materialized (
  select game_id, day, arg_max(snapshot, seen_at) as snapshot, max(seen_at) as seen_at
  from readings
  where game_id in (select game_id from versions)
    and day between coalesce(as_day(from_day, 'price_series: from_day'), '-infinity'::date) and coalesce(as_day(to_day, 'price_series: to_day'), 'infinity'::date)
  group by game_id, day
),
prices as materialized (
  select h.game_id, h.snapshot, h.product_id, h.finish, h.source, h.currency, h.low, h.mid, h.high, h.market_value
  from source_price_history h semi join of_day using (game_id, snapshot)
  anti join passed r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > h.seen_at
  where (product is null or h.product_id = case when try_cast(product as bigint) is not null then try_cast(product as bigint) else (select product_id from meant) end) and (finish_name is null or h.finish = finish_name) and (source_name is null or h.source = if(
    source_name in ('sourceEur', 'sourceUsd'), source_name, error('price_series: source_name must be sourceEur or sourceUsd')
  ))
),
-- what the service says of days without a reading
past as materialized (
  select h.game_id, h.day, h.product_id, h.finish, h.source, h.currency, h.low, h.mid, h.high, h.market_value
  from backfilled_prices h
  anti join of_day o on o.game_id = h.game_id and o.day = h.day
  anti join passed r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > h.day::timestamp at time zone 'UTC'
  where (product is null or h.product_id = case when try_cast(product as bigint) is not null then try_cast(product as bigint) else (select product_id from meant) end) and (finish_name is null or h.finish = finish_name) and (source_name is null or h.source = source_name)
    and h.game_id in (select game_id from versions)
    and h.day between coalesce(as_day(from_day, 'price_series: from_day'), '-infinity'::date) and coalesce(as_day(to_day, 'price_series: to_day'), 'infinity'::date)
),
days as (
  select g.game_id, unnest(generate_series(
    if(as_day(from_day, 'price_series: from_day') > as_day(to_day, 'price_series: to_day'), error('price_series: from_day is after to_day'), coalesce(as_day(from_day, 'price_series: from_day'), g.first_day))::timestamp,
    coalesce(as_day(to_day, 'price_series: to_day'), g.last_day)::timestamp, interval 1 day
  ))::date as day
  from (
    select game_id, min(day) as first_day, max(day) as last_day
    from (select game_id, day from readings union all select game_id, day from past) group by game_id
  ) g
  where g.game_id in (select game_id from versions)
),
sources as (
  select v.game_id, v.product_id, coalesce(source_name, min_by(p.source, p.source <> first_source), first_source) as source
  from (select distinct game_id, product_id from versions) v
  left join (
    select game_id, product_id, source from prices where market_value > 0
    union all
    select game_id, product_id, source from past where market_value > 0
  ) p on p.game_id = v.game_id and p.product_id = v.product_id
  group by v.game_id, v.product_id
),
finishes as (
  select game_id, product_id, unnest(finishes) as finish from versions
  where (valid_from at time zone 'UTC')::date <= coalesce(as_day(to_day, 'price_series: to_day'), 'infinity'::date)
  union
  select game_id, product_id, finish from prices join sources using (game_id, product_id, source)
  union
  select game_id, product_id, finish from past join sources using (game_id, product_id, source)
)
select
  d.game_id,
  d.day,
  f.product_id,
  f.finish,
  -- where seen_at is null, DuckDB may join the newest version
  case when v.valid_from is not null and o.seen_at < coalesce(v.valid_to, 'infinity'::timestamptz)
    then coalesce(list_contains(v.finishes, f.finish), false) end as is_listed,
  s.source,
  coalesce(p.currency, b.currency) as currency,
  -- a day has a reading or history, never both
  coalesce(p.low, b.low) as low,
  coalesce(p.mid, b.mid) as mid,
  coalesce(p.high, b.high) as high,
  nullif(coalesce(p.market_value, b.market_value), 0) as market_value,
  case
    when b.market_value > 0 then 'priced'
    when b.product_id is not null then 'no price'
    when o.snapshot is null then 'not read'
    when p.market_value > 0 then 'priced'
    when v.valid_from is null or v.valid_to <= o.seen_at then 'not in the catalogue'
    else 'no price'
  end as state,
  case when o.snapshot is not null then 'night' when b.product_id is not null then 'history' end as origin
from days d
join finishes f on f.game_id = d.game_id and (finish_name is null or f.finish = finish_name)
join sources s on s.game_id = f.game_id and s.product_id = f.product_id
left join of_day o on o.game_id = d.game_id and o.day = d.day
left join prices p on p.game_id = d.game_id and p.snapshot = o.snapshot and p.product_id = f.product_id and p.finish = f.finish and p.source = s.source
left join past b on b.game_id = d.game_id and b.day = d.day and b.product_id = f.product_id and b.finish = f.finish and b.source = s.source
asof left join versions v on v.game_id = d.game_id and v.product_id = f.product_id and v.valid_from <= o.seen_at
order by d.game_id, f.product_id, f.finish, d.day;
