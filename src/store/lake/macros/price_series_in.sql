-- price_series_in: How did a price move in another currency, and how much of the change is due to the exchange rate?
-- grain:  one row per (game_id, product_id, finish, day)
-- takes:  product: as in price_series, null = all products (requires from_day); to_currency: a currency code, default EUR; finish_name: one finish, default null = all; source_name: sourceEur or sourceUsd, default null = for each product the one that has prices of it, sourceUsd if both have; constant_day: day of the constant rate, default null = the last day of the series; from_day, to_day: UTC days, default null = all
-- absent: a rate or converted price is null if no rate is loaded for its day (load rates with cardlake fx)
-- example: from price_series_in(12779, to_currency := 'GBP')
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   day: UTC
--   finish: such as Standard or Foil
--   is_listed: as in price_series: whether the product listed the finish that day; null = not in the catalogue, or not read
--   source: sourceEur or sourceUsd
--   currency: of market_value; null = no price block that day
--   market_value: as the source gives it, in its own currency; null = none, or 0, or not read
--   same_day: converted at the rate of each day, so it moves with price and exchange rate
--   constant: converted at one constant rate, so it moves only with the price
--   rate_date: day of the same-day rate; null = none is loaded, the price is in the currency already, or there is no price block
--   constant_rate_date: day of the constant rate; null as for rate_date
--   origin: as in price_series: night, history or null
create macro price_series_in(
  product, to_currency := 'EUR', finish_name := null, source_name := null, constant_day := null, from_day := null,
  to_day := null
) as table
with series as (
  from price_series(product, finish_name := finish_name, source_name := source_name, from_day := from_day, to_day := to_day,
    first_source := 'sourceUsd')
),
crossed as (
  select f.currency, f.day, f.rate as rate_from, t.rate as rate_to, least(f.rate_date, t.rate_date) as rate_date
  from fx_daily f join fx_daily t on t.day = f.day and t.currency = to_currency
  -- what is in the currency already needs no rate
  where f.currency <> to_currency
),
fixed as (
  select coalesce(as_day(constant_day, 'price_series_in: constant_day'), max(day)) as day, if(
    regexp_full_match(to_currency, '[A-Z]{3}'), to_currency, error('price_series_in: to_currency must be three capitals, such as EUR')
  ) as currency
  from series
)
select s.game_id, s.product_id, s.day, s.finish, s.is_listed, s.source, s.currency, s.market_value,
  if(s.currency = x.currency, s.market_value, converted(s.market_value, d.rate_from, d.rate_to)) as same_day,
  if(s.currency = x.currency, s.market_value, converted(s.market_value, c.rate_from, c.rate_to)) as constant,
  d.rate_date, c.rate_date as constant_rate_date, s.origin
from series s
cross join fixed x
left join crossed d on d.currency = s.currency and d.day = s.day
left join crossed c on c.currency = s.currency and c.day = x.day
order by s.game_id, s.product_id, s.finish, s.day;
