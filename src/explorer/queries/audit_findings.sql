-- Ids of a game in other systems that look wrong, looked for once for all that a page says of them.
-- reads: $game
create temp table findings as from id_audit where game_id = $game;
