-- Moves of the last week in any game, at any price: computed once for each lake file, because one set takes as long as all.
create or replace table memory.main.week_moves as from movers(min_price := 0)
