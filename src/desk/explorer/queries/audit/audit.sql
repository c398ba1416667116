-- Ids in other systems that look wrong, one row per finding.
-- reads: judged (rows of judged.sql); $game, $kind (all = every kind but `not wrong`)
select a.kind, a.product_id, p.name, p.expansion_code, a.system, a.finish, a.external_id, a.detail, p.print_number, p.variant
from judged a join products p using (game_id, product_id)
where a.game_id = $game and if($kind = 'all', a.judged <> 'not wrong', a.judged = $kind)
