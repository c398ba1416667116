-- The five largest gains and five largest falls of every game and currency since the game's previous reading, in money, and how many of all moves
-- `price_trust` doubts. The currency of most prices is first. The query runs once for each lake file.
-- reads: memory.moves_of_days_1
with moved as (
  select *, count(*) filter (verdict <> 'ok') over moves_of_one as doubted, count(*) over moves_of_one as moves, if(change > 0, 'gain', 'fall') as way
  from memory.main.moves_of_days_1 where greatest(old, new) >= 1
  window moves_of_one as (partition by game_id, currency)
),
placed as (
  select *, row_number() over (partition by game_id, currency, way order by abs(change) desc, product_id, finish, source) as place from moved
),
spoken as (
  select game_id, currency, count(*) as prices from source_prices where market_value > 0 group by game_id, currency
)
select p.* from placed p left join spoken s using (game_id, currency)
where place <= 5
order by game_id, s.prices desc nulls last, currency, way, place;
