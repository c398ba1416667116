-- Ids in other systems that look wrong, one row per finding.
-- reads: memory.findings; $game, $kind (all = every kind)
select a.kind, a.product_id, p.name, p.expansion_code, a.system, a.finish, a.external_id, a.detail, p.print_number, p.variant
from memory.main.findings a join products p using (game_id, product_id)
where a.game_id = $game and ($kind = 'all' or a.kind = $kind)
