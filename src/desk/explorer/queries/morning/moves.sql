-- The five largest gains and five largest falls of every game and currency since the game's previous reading, in money. Outliers are only counted;
-- a currency of which only outliers moved has one row, whose way is `none`. The currency of most prices is first. The query runs once for each lake file.
with moved as (
  select *, count(*) filter (is_outlier) over moves_of_one as outliers, count(*) over moves_of_one as moves
  from movers(days := 1)
  window moves_of_one as (partition by game_id, currency)
),
placed as (
  select *, if(outliers = moves, 'none', if(change > 0, 'gain', 'fall')) as way,
    row_number() over (partition by game_id, currency, way order by abs(change) desc, product_id, finish, source) as place
  from moved
  where not is_outlier or outliers = moves
),
spoken as (
  select game_id, currency, count(*) as prices from source_prices where market_value > 0 group by game_id, currency
)
select p.* from placed p left join spoken s using (game_id, currency)
where place <= if(way = 'none', 1, 5)
order by game_id, s.prices desc nulls last, currency, way, place;
