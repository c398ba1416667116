-- Groups of findings: one row for an id that is shared or moved, else for a product.
-- reads: memory.findings; $game, $kind (all = every kind)
with chosen as (
  select f.*, p.name, if(f.kind in ('shared', 'moved'), f.external_id, null) as of_id, if(f.kind in ('shared', 'moved'), null, f.product_id) as of_product,
    if(f.kind in ('doubled', 'apart'), f.finish, null) as of_finish
  from memory.main.findings f join products p using (game_id, product_id)
  where f.game_id = $game and ($kind = 'all' or f.kind = $kind)
)
select kind, system, of_id as external_id, of_finish as finish, of_product, min(product_id) as product_id, min(name) as name,
  count(distinct product_id) as products, count(distinct name) as names, count(*) as findings
from chosen
group by kind, system, of_id, of_product, of_finish
