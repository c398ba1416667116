-- The five largest gains and five largest falls of every game since its previous reading, in money, in the currency of most of its prices.
-- Outliers are only counted. The query runs once for each lake file.
with moved as (
  select *, count(*) filter (is_outlier) over (partition by game_id, currency) as outliers from movers(days := 1)
),
spoken as (
  select game_id, arg_max(currency, (prices, currency)) as currency
  from (select game_id, currency, count(*) as prices from source_prices where market_value > 0 group by game_id, currency)
  group by game_id
),
placed as (
  select *, if(change > 0, 'gain', 'fall') as way,
    row_number() over (partition by game_id, change > 0 order by abs(change) desc, product_id, finish, source) as place
  from moved join spoken using (game_id, currency)
  where not is_outlier
)
select * from placed where place <= 5 order by game_id, way, place;
