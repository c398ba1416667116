-- Changes of a product other than prices, from night to night, newest first.
-- reads: $game, $id
select n.seen_at, n.deployment_id, c.change, c.field, c.old, c.new
from changes c
join nights n on n.game_id = c.game_id and n.snapshot = c.to_snapshot
where c.game_id = $game and c.entity = 'product' and c.id = $id::bigint and c.class = 'catalogue'
order by n.place desc, c.field nulls first;
