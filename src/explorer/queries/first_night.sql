-- Since when a game has been read, and how often.
-- reads: $game
select min(seen_at) as first_at, max(seen_at) as last_at, count(*) as nights from nights where game_id = $game;
