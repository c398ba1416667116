-- The products of each given group with the feed's data about them: the first twelve as JSON, and their number.
-- reads: memory.findings; $game, $groups (JSON: a list of rows of groups.sql, each with its place)
with groups as (
  select g.place, g.kind, g.system, g.external_id as of_id, g.of_product, g.finish as of_finish
  from (
    select unnest(from_json($groups::json,
      '[{"place":"INTEGER","kind":"VARCHAR","system":"VARCHAR","external_id":"VARCHAR","of_product":"BIGINT","finish":"VARCHAR"}]')) as g
  )
),
chosen as materialized (
  select g.*, f.game_id, f.product_id, f.finish
  from memory.main.findings f
  join groups g on g.kind = f.kind and g.system = f.system and (g.of_id is null or g.of_id = f.external_id)
    and (g.of_product is null or g.of_product = f.product_id) and (g.of_finish is null or g.of_finish = f.finish)
  where f.game_id = $game
),
moved as materialized (from chosen where kind = 'moved'),
-- the former products of an id that moved, as id_audit finds them
owners as (
  select c.place, o.product_id, max(o.valid_to) as valid_to
  from moved c
  join external_id_history n on n.game_id = c.game_id and n.product_id = c.product_id and n.system = c.system and n.external_id = c.of_id
    and n.finish is not distinct from c.finish and n.valid_to is null
  join external_id_history o on o.game_id = c.game_id and o.system = c.system and o.external_id = c.of_id and o.product_id <> c.product_id
    and o.valid_to <= n.valid_from
  join products p on p.game_id = c.game_id and p.product_id = c.product_id
  join products q on q.game_id = c.game_id and q.product_id = o.product_id
  where o.finish is not distinct from c.finish or q.name <> p.name
  group by c.place, o.product_id
),
members as materialized (
  select distinct place, product_id, null::timestamptz as had_until from chosen
  union all
  from owners
),
-- the relevant ids of a product: the id in question, or all of the finish or the system; of both sources, if their prices differ
ids as (
  select m.place, m.product_id, m.had_until, e.system as said_by, e.finish, e.external_id
  from members m
  join groups g using (place)
  join external_ids e on e.game_id = $game and e.product_id = m.product_id
  where (e.system = g.system or (g.kind = 'apart' and e.system = 'sourceUsd')) and (g.of_finish is null or e.finish = g.of_finish)
    and (g.of_id is null or m.had_until is not null or e.external_id = g.of_id)
  union
  select place, product_id, null, system, finish, null from chosen where kind = 'missing'
  union
  select c.place, c.product_id, null, s.source, c.finish, null
  from chosen c
  join source_prices s on s.game_id = c.game_id and s.product_id = c.product_id and s.finish = c.finish and s.market_value > 0
  anti join external_ids e on e.game_id = c.game_id and e.product_id = c.product_id and e.system = s.source and e.finish = c.finish
  where c.kind = 'apart'
),
feeds as (
  select d.place, d.product_id, d.had_until, list({
      'by': said_by, 'finish': d.finish, 'id': d.external_id, 'value': s.market_value::varchar, 'currency': s.currency
    } order by said_by, d.finish nulls first, d.external_id) as feed
  from ids d
  left join source_prices s on s.game_id = $game and s.product_id = d.product_id and s.source = d.said_by and s.finish = d.finish and s.market_value > 0
  group by d.place, d.product_id, d.had_until
)
select m.place, count(*) as products, to_json(list({
    'product': {
      'id': m.product_id::varchar, 'name': p.name, 'set': p.expansion_code, 'number': p.print_number, 'variant': p.variant,
      'until': m.had_until::date::varchar
    },
    'feed': t.feed
  } order by m.had_until nulls first, p.name, m.product_id)[:12])::varchar as listed
from members m
join products p on p.game_id = $game and p.product_id = m.product_id
left join feeds t on t.place = m.place and t.product_id = m.product_id and t.had_until is not distinct from m.had_until
group by m.place;
