-- Findings by what they are about, each with its products and what the feed says of them: one row for an id that is shared or moved, else for a product.
-- reads: memory.findings; $game, $kind (all = every kind)
with chosen as (
  select *, if(kind in ('shared', 'moved'), external_id, null) as of_id, if(kind in ('shared', 'moved'), null, product_id) as of_product,
    if(kind in ('doubled', 'apart'), finish, null) as of_finish
  from memory.main.findings
  where game_id = $game and ($kind = 'all' or kind = $kind)
),
-- of an id that moved, those that had it before, as id_audit finds them
owners as (
  select distinct c.kind, c.system, c.of_id, o.product_id, o.valid_to
  from chosen c
  join external_id_history n on n.game_id = c.game_id and n.product_id = c.product_id and n.system = c.system and n.external_id = c.external_id
    and n.finish is not distinct from c.finish and n.valid_to is null
  join external_id_history o on o.game_id = c.game_id and o.system = c.system and o.external_id = c.external_id and o.product_id <> c.product_id
    and o.valid_to <= n.valid_from
  join products p on p.game_id = c.game_id and p.product_id = c.product_id
  join products q on q.game_id = c.game_id and q.product_id = o.product_id
  where c.kind = 'moved' and (o.finish is not distinct from c.finish or q.name <> p.name)
),
members as (
  select kind, system, of_id, of_product, of_finish, product_id, null::timestamptz as had_until from chosen
  union
  select kind, system, of_id, null, null, product_id, max(valid_to) from owners group by all
),
-- what counts of a product: the id in question, or all of the finish or the system; of both sources, if their prices are apart
said as (
  select m.kind, m.system, m.of_id, m.of_product, m.of_finish, m.product_id, e.system as said_by, e.finish, e.external_id
  from members m
  join external_ids e on e.game_id = $game and e.product_id = m.product_id
    and (e.system = m.system or (m.kind = 'apart' and e.system = 'sourceUsd'))
    and (m.of_finish is null or e.finish = m.of_finish)
    and (m.of_id is null or m.had_until is not null or e.external_id = m.of_id)
  union
  select c.kind, c.system, c.of_id, c.of_product, c.of_finish, c.product_id, c.system, c.finish, null from chosen c where c.kind = 'missing'
  union
  select c.kind, c.system, c.of_id, c.of_product, c.of_finish, c.product_id, s.source, c.finish, null
  from chosen c
  join source_prices s on s.game_id = c.game_id and s.product_id = c.product_id and s.finish = c.finish and s.market_value > 0
  where c.kind = 'apart' and not exists (
    from external_ids e where e.game_id = c.game_id and e.product_id = c.product_id and e.system = s.source and e.finish = c.finish
  )
),
priced as (
  select d.*, s.market_value, s.currency
  from said d
  left join source_prices s on s.game_id = $game and s.product_id = d.product_id and s.source = d.said_by and s.finish = d.finish and s.market_value > 0
),
told as (
  select kind, system, of_id, of_product, of_finish, product_id, to_json(list({
      'by': said_by, 'finish': finish, 'id': external_id, 'value': market_value::varchar, 'currency': currency
    } order by said_by, finish nulls first, external_id)) as said
  from priced
  group by all
),
products_told as (
  select m.*, p.name, t.said, {
      'id': m.product_id::varchar, 'name': p.name, 'set': p.expansion_code, 'number': p.print_number, 'variant': p.variant,
      'until': m.had_until::date::varchar
    } as product
  from members m
  join products p on p.game_id = $game and p.product_id = m.product_id
  left join told t on t.kind = m.kind and t.product_id = m.product_id and t.system = m.system and t.of_id is not distinct from m.of_id
    and t.of_product is not distinct from m.of_product and t.of_finish is not distinct from m.of_finish
),
counted as (
  select kind, system, of_id, of_product, of_finish, count(*) as findings from chosen group by all
)
select p.kind, p.system, p.of_id as external_id, p.of_finish as finish, min(p.name) as name, min(p.product_id) as product_id,
  count(*) as products, count(distinct p.name) as names, any_value(c.findings) as findings,
  to_json(list({'product': p.product, 'said': p.said} order by p.had_until nulls first, p.name, p.product_id)[:12])::varchar as told
from products_told p
join counted c on c.kind = p.kind and c.system = p.system and c.of_id is not distinct from p.of_id
  and c.of_product is not distinct from p.of_product and c.of_finish is not distinct from p.of_finish
group by p.kind, p.system, p.of_id, p.of_product, p.of_finish
