-- A product's names in other languages.
-- reads: $game, $id
select language, name from translations where game_id = $game and product_id = $id::bigint and name is not null order by language;
