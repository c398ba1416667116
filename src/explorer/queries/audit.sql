-- Ids in other systems that look wrong.
-- reads: findings; $game, $kind (all = every kind)
select a.kind, a.product_id, p.name, p.expansion_code, a.system, a.finish, a.external_id, a.detail
from findings a join products p on p.game_id = $game and p.product_id = a.product_id
where $kind = 'all' or a.kind = $kind
