-- finishes: the finishes that products list, in words
-- grain:  one row per (finish)
-- reads:  product_finishes
-- columns:
--   key: its words, each between spaces
create or replace table search.finishes as
select finish, string_split(folded, ' ') as words, ' ' || folded || ' ' as key
from (select finish, search.folded(finish) as folded from (select distinct finish from product_finishes))
order by finish;

-- games: what people call a game: its name, its id, or the first letters of its words, such as MTG
-- grain:  one row per (game_id)
-- reads:  games
create or replace table search.games as
select game_id, concat_ws(' ', folded, search.folded(game_id), array_to_string(list_transform(string_split(folded, ' '), lambda word: word[1]), '')) as words
from (select game_id, search.folded(name) as folded from games);
