-- What moved in a week in any game, at any price: once for each lake file, because it takes as long for a set as for all.
create or replace table memory.main.week_moves as from movers(min_price := 0)
