-- The number of findings of each kind.
-- reads: memory.findings; $game
select kind, count(*) as findings from memory.main.findings where game_id = $game group by kind order by kind;
