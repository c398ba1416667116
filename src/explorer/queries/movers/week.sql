-- What moved in a week in any game, as movers finds it unless somebody chooses: once for each lake file, because it takes as long for a set as for all.
create or replace table memory.main.week_moves as from movers()
