-- What the feed says of a game beyond the contract.
-- reads: $game
select kind, place, word, records from drift where game_id = $game order by records desc, kind, place, word limit 200;
