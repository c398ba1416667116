-- Values of a game's feed that the contract does not know.
-- reads: $game
select kind, place, word, records from drift where game_id = $game order by records desc, kind, place, word limit 200;
