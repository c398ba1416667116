-- own_answers: the reader's answers, or those in the game that the command names; null = no product of the lake
-- grain:  one row per answer_key
-- reads:  variables own_answers (the answers as JSON), own_game
create or replace temp table own_answers as
select key as answer_key, "gameId" as game_id, "productId" as product_id
from (select unnest(from_json(getvariable('own_answers')::varchar, '[{ "key": "varchar", "gameId": "varchar", "productId": "bigint" }]'), recursive := true))
where coalesce("gameId" = getvariable('own_game')::varchar, true);
