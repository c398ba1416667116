-- id_audit: Which external ids look wrong, so that a price may belong to another product? Shared ids are not a finding if sharing is normal in the system: at least twenty ids of the game, and more than one in twenty, are shared by products that differ alike: in name, in number, or in neither. Two faces of one card, that is, two names of one set and number, may share an id. A shared mtgOracleId is never a finding, because all printings of a card have it
-- grain:  one row per (game_id, product_id, kind, system, finish, external_id)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   kind: shared = other products have the id, too: with another name in any finish, or with the same name in the same finish, such as other pitches of it; doubled = the product has several ids for the finish; moved = another product, which still exists, had the id before, with finishes as for shared; missing = the finish has no id, but other finishes of the product do; apart = the price is more than eight times, or less than an eighth, of the other source's, both above 0 and one at least 5
--   system: key in the contract, such as sourceEur
--   finish: the finish that the id or price belongs to; null = the id has none
--   external_id: the id; null = missing, or apart
--   detail: number of products that share it, number of ids, the product that had it before, or both prices
create view id_audit as
with hashed as not materialized (
  select *, hash(game_id, system, external_id) as id_hash from external_ids where system <> 'mtgOracleId'
),
-- by hashes, as grouping texts takes far longer; what only has the hash of another is left out below, where ids are grouped
shared_ids as (select id_hash from hashed group by id_hash having min(product_id) <> max(product_id)),
-- on its own, or DuckDB may join every shared id with every product first
shared_entries as materialized (select * exclude (id_hash) from hashed semi join shared_ids using (id_hash)),
named_entries as materialized (
  select e.*, p.name, p.expansion_id, p.print_number from shared_entries e join products p using (game_id, product_id)
),
names as (
  select game_id, system, external_id, case
      when min(name) <> max(name) and count(expansion_id) = count(*) and min(expansion_id) = max(expansion_id) and count(print_number) = count(*)
        and min(print_number) = max(print_number) then 'face'
      when min(name) <> max(name) then 'name'
      when min(expansion_id) = max(expansion_id) and min(print_number) <> max(print_number) then 'number'
      else 'neither'
    end as differs
  from named_entries
  group by all
),
-- an id of several names counts whatever its finishes, one of one name in each finish
sharing as materialized (
  select e.*, n.differs, case when n.differs <> 'name' then e.finish end as of_finish
  from named_entries e join names n using (game_id, system, external_id)
  where n.differs <> 'face'
),
shared as (
  select game_id, system, external_id, differs, of_finish, count(distinct product_id) as products
  from sharing
  group by all
  having min(product_id) <> max(product_id)
),
often as (
  select game_id, system, differs, count(*) as ids from shared group by all having count(*) >= 20
),
totals as (
  select game_id, system, count(*) as in_finishes, count(distinct external_id) as whatever_finish
  from (select distinct game_id, system, finish, external_id from external_ids semi join often using (game_id, system))
  group by all
),
by_design as (
  select game_id, system, differs
  from often join totals using (game_id, system)
  where ids * 20 > if(differs = 'name', whatever_finish, in_finishes)
),
doubtful as (select s.* from shared s anti join by_design using (game_id, system, differs)),
moved as materialized (
  select distinct n.game_id, n.product_id, n.system, n.finish, n.external_id, o.product_id as owner_id,
    o.finish is not distinct from n.finish as is_same_finish
  from external_id_history n
  join external_id_history o on o.game_id = n.game_id and o.system = n.system and o.external_id = n.external_id
    and o.product_id <> n.product_id and o.valid_to <= n.valid_from
  where n.valid_to is null and n.system <> 'mtgOracleId'
),
-- several ids of one finish have no order
doubled as (
  select game_id, product_id, system, finish
  from external_ids
  semi join (from external_ids where position > 1 and finish is not null) using (game_id, product_id)
  where finish is not null
  group by all
  having min(external_id) <> max(external_id)
),
-- no other product can lack the id of a finish: it has one finish, and its ids are of that
incomplete as (
  select game_id, product_id from product_finishes where position > 1
  union
  select game_id, product_id from external_ids anti join product_finishes using (game_id, product_id, finish) where finish is not null
),
finishes as (
  select distinct f.game_id, f.product_id, f.finish, s.system
  from product_finishes f
  join (
    select distinct game_id, product_id, system
    from external_ids semi join incomplete using (game_id, product_id)
    where finish is not null
  ) s using (game_id, product_id)
),
apart as (
  select e.game_id, e.product_id, e.finish, e.market_value || ' ' || e.currency || ', ' || u.market_value || ' ' || u.currency as prices
  from source_prices e
  join source_prices u on u.game_id = e.game_id and u.product_id = e.product_id and u.finish = e.finish and u.source = 'sourceUsd'
  where e.source = 'sourceEur' and e.market_value > 0 and u.market_value > 0 and greatest(e.market_value, u.market_value) >= 5
    and (e.market_value > 8 * u.market_value or u.market_value > 8 * e.market_value)
)
-- a product may have an id, and list a finish, twice
select distinct i.game_id, i.product_id, 'shared' as kind, i.system, i.finish, i.external_id, d.products || ' products' as detail
from sharing i
join doubtful d on d.game_id = i.game_id and d.system = i.system and d.external_id = i.external_id and d.differs = i.differs
  and d.of_finish is not distinct from i.of_finish
union all
select distinct i.game_id, i.product_id, 'doubled', i.system, i.finish, i.external_id,
  (count(distinct i.external_id) over (partition by i.game_id, i.product_id, i.system, i.finish)) || ' ids'
from external_ids i
join doubled d on d.game_id = i.game_id and d.product_id = i.product_id and d.system = i.system and d.finish = i.finish
union all
select m.game_id, m.product_id, 'moved', m.system, m.finish, m.external_id,
  case when count(distinct m.owner_id) = 1 then 'was of product ' || min(m.owner_id) else 'was of ' || count(distinct m.owner_id) || ' products' end
from moved m
-- an owner that is gone was replaced by this product or merged into it
join products o on o.game_id = m.game_id and o.product_id = m.owner_id
join products p on p.game_id = m.game_id and p.product_id = m.product_id
anti join by_design y on y.game_id = m.game_id and y.system = m.system and y.differs = case
    when o.name <> p.name then 'name' when o.expansion_id = p.expansion_id and o.print_number <> p.print_number then 'number' else 'neither' end
where (m.is_same_finish and o.name = p.name)
  or (o.name <> p.name and not coalesce(o.expansion_id = p.expansion_id and o.print_number = p.print_number, false))
group by m.game_id, m.product_id, m.system, m.finish, m.external_id
union all
select f.game_id, f.product_id, 'missing', f.system, f.finish, null, 'other finishes have one'
from finishes f
anti join external_ids i on i.game_id = f.game_id and i.product_id = f.product_id and i.system = f.system and i.finish = f.finish
union all
select game_id, product_id, 'apart', 'sourceEur', finish, null, prices from apart;
