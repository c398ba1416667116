-- The number of findings of each kind.
-- reads: judged (rows of judged.sql); $game
select judged as kind, count(*) as findings from judged where game_id = $game group by judged order by judged
