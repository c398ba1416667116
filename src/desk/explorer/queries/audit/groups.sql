-- Groups of findings: one row for an id that is shared or moved, else for a product.
-- reads: judged (rows of judged.sql); $game, $kind (all = every kind but `not wrong`)
select kind, system, of_id as external_id, of_finish as finish, of_product, min(product_id) as product_id, min(name) as name,
  count(distinct product_id) as products, count(distinct name) as names, count(*) as findings
from (
  select f.*, p.name, if(f.kind in ('shared', 'moved'), f.external_id, null) as of_id, if(f.kind in ('shared', 'moved'), null, f.product_id) as of_product,
    if(f.kind in ('doubled', 'apart'), f.finish, null) as of_finish
  from judged f join products p using (game_id, product_id)
  where f.game_id = $game and if($kind = 'all', f.judged <> 'not wrong', f.judged = $kind)
)
group by kind, system, of_id, of_product, of_finish
