-- figures: market values of finishes that a product lists, and what they were at least seven days before
-- grain:  one row per (game_id, product_id, finish, source)
-- reads:  source_prices, old_prices; variable searched_games
-- columns:
--   key: words of the finish, each between spaces
--   choice: 1 = what is shown of the product unless a search asks for a finish or currency: sourceEur first, then the cheapest finish
insert into search.figures by name
with finishes as (
  select finish, ' ' || search.folded(finish) || ' ' as key from (select distinct finish from source_prices)
)
select p.game_id, p.product_id, p.finish, f.key, p.source, p.currency, p.market_value, o.market_value as value_before,
  row_number() over (partition by p.game_id, p.product_id order by p.source, p.market_value, p.finish)::integer as choice
from source_prices p
join finishes f using (finish)
left join old_prices o
  on o.game_id = p.game_id and o.product_id = p.product_id and o.finish = p.finish and o.source = p.source and o.currency = p.currency
where list_contains(getvariable('searched_games'), p.game_id) and p.market_value > 0 and p.is_listed
order by p.game_id, p.product_id, choice;
