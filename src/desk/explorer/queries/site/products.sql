-- The products of a game in the order in which a site has pages of them: the most expensive first, those without a price last.
-- `sets` null = all expansions.
with priced as (
  select place, product_id, name, expansion_id, expansion_code, expansion_name, print_number, variant, market_value, currency
  from find_products('price>=0', game := $game, most := 1000000000, skip := 0)
)
select product_id, name, expansion_id, expansion_code, expansion_name, print_number, variant, market_value, currency
from (
  from priced
  union all by name
  select p.product_id, p.name, p.expansion_id, p.expansion_code, p.expansion_name, p.print_number, p.variant
  from products p anti join priced using (product_id)
  where p.game_id = $game
)
where $sets is null or list_contains(string_split($sets, ','), expansion_id::varchar)
order by place nulls last, product_id;
