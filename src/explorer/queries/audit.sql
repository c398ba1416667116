-- Ids in other systems that look wrong.
-- reads: $game, $kind (all = every kind)
select a.kind, a.product_id, p.name, p.expansion_code, a.system, a.finish, a.external_id, a.detail
from id_audit a join products p on p.game_id = a.game_id and p.product_id = a.product_id
where a.game_id = $game and ($kind = 'all' or a.kind = $kind)
