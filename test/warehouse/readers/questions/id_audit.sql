-- Which ids look wrong, so that a price may be another card's?
with catalogue as (select product_id, name, expansion_id, print_number from products where snapshot_date = :last_day),
ids as (
  select distinct i.product_id, c.name, c.expansion_id, c.print_number, i.id_system, i.finish, i.external_id
  from external_ids i join catalogue c using (product_id) where i.snapshot_date = :last_day and i.id_system <> 'mtgOracleId'
),
-- an id of several names counts whatever its finishes, one of one name in each finish
spread as (
  select *, case
      when min(name) over of_id <> max(name) over of_id and count(expansion_id) over of_id = count(*) over of_id
        and min(expansion_id) over of_id = max(expansion_id) over of_id and count(print_number) over of_id = count(*) over of_id
        and min(print_number) over of_id = max(print_number) over of_id then 'face'
      when min(name) over of_id <> max(name) over of_id then 'name'
      when min(expansion_id) over of_id = max(expansion_id) over of_id and min(print_number) over of_id <> max(print_number) over of_id then 'number'
      else 'neither' end as differs
  from ids
  window of_id as (partition by id_system, external_id)
),
sharing as (select *, if(differs = 'name', null, finish) as of_finish from spread where differs <> 'face'),
shared as (
  select id_system, external_id, differs, of_finish, count(distinct product_id) as products
  from sharing group by id_system, external_id, differs, of_finish having count(distinct product_id) > 1
),
totals as (
  select id_system, count(distinct external_id) as whatever_finish, count(distinct struct(finish, external_id)) as in_finishes
  from ids group by id_system
),
by_design as (
  select id_system, differs
  from shared join totals using (id_system)
  group by id_system, differs, whatever_finish, in_finishes
  having count(*) >= 20 and count(*) * 20 > if(differs = 'name', whatever_finish, in_finishes)
),
-- each id of a product and the days on which it had it
held as (
  select product_id, id_system, finish, external_id, min(snapshot_date) as first_day, max(snapshot_date) as last_day
  from external_ids where id_system <> 'mtgOracleId' group by product_id, id_system, finish, external_id
),
moved as (
  select n.product_id, n.id_system, n.finish, n.external_id, count(distinct o.product_id) as owners, min(o.product_id) as owner
  from held n
  join held o on o.id_system = n.id_system and o.external_id = n.external_id and o.product_id <> n.product_id and o.last_day < n.first_day
  join catalogue c on c.product_id = n.product_id
  join catalogue b on b.product_id = o.product_id
  left anti join by_design y on y.id_system = n.id_system and y.differs = case
    when b.name <> c.name then 'name' when b.expansion_id = c.expansion_id and b.print_number <> c.print_number then 'number' else 'neither' end
  where n.last_day = :last_day and ((n.finish <=> o.finish and b.name = c.name)
    or (b.name <> c.name and not coalesce(b.expansion_id = c.expansion_id and b.print_number = c.print_number, false)))
  group by n.product_id, n.id_system, n.finish, n.external_id
),
finishes as (
  select f.product_id, f.finish, s.id_system
  from product_finishes f join (select distinct product_id, id_system from ids where finish is not null) s using (product_id)
  where f.snapshot_date = :last_day
),
prices as (select * from source_prices where snapshot_date = :last_day and market_value > 0),
found as (
  select s.product_id, 'shared' as kind, s.id_system, s.finish, s.external_id, concat(d.products, ' products') as detail
  from sharing s
  join shared d on d.id_system = s.id_system and d.external_id = s.external_id and d.differs = s.differs and d.of_finish <=> s.of_finish
  left anti join by_design y on y.id_system = s.id_system and y.differs = s.differs
  union all
  select product_id, 'doubled', id_system, finish, external_id, concat(n, ' ids')
  from (select *, count(*) over (partition by product_id, id_system, finish) as n from ids where finish is not null) where n > 1
  union all
  select product_id, 'moved', id_system, finish, external_id, if(owners = 1, concat('was of product ', owner), concat('was of ', owners, ' products'))
  from moved
  union all
  select f.product_id, 'missing', f.id_system, f.finish, null, 'other finishes have one'
  from finishes f left anti join ids i on i.product_id = f.product_id and i.id_system = f.id_system and i.finish = f.finish
  union all
  select e.product_id, 'apart', 'sourceEur', e.finish, null, concat(e.market_value, ' ', e.currency, ', ', u.market_value, ' ', u.currency)
  from prices e join prices u using (product_id, finish)
  where e.price_source = 'sourceEur' and u.price_source = 'sourceUsd' and greatest(e.market_value, u.market_value) >= 5
    and (e.market_value > 8 * u.market_value or u.market_value > 8 * e.market_value)
)
select c.name, f.kind, f.id_system, f.finish, f.external_id, f.detail from found f join catalogue c using (product_id)
