-- How many findings of each kind there are.
-- reads: $game
select kind, count(*) as findings, count(distinct product_id) as products from id_audit where game_id = $game group by kind order by kind;
