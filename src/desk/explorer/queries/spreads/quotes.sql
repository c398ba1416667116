-- The distance between the low, middle and high price of a source.
-- reads: $game, $min_price
select s.*, p.name, p.expansion_code, p.print_number
from price_spreads s join products p on p.game_id = s.game_id and p.product_id = s.product_id
where s.game_id = $game and s.mid >= $min_price::decimal(18, 4)
