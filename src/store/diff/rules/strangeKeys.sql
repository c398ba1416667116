-- One row per key of a price block or an external id that the contract does not know, where it holds something: in how many products it counts.
-- The row without a key counts the products with any of them. In a first night every one counts. Later a key counts in a product that did not
-- have it, if that has fewer of the price sources, or ids, that are known than before; or none, unless more than slips of the published
-- products have the key: whoever released that saw it.
-- reads: schemas before and after; of a first night (variable is_first) nothing was before; variables known_before and known_after (names that
-- the contract knows there, in the words of each), slips (a share)
with products as (
  select 'after' as side, product_id, extra, price_extra from after.products where extra is not null or price_extra is not null
  union all
  select 'before', product_id, extra, price_extra from before.products
  where getvariable('is_first') = 0 and (extra is not null or price_extra is not null)
),
places as (
  select side, product_id, 'prices' as place, price_extra -> 'prices' as holder from products
  union all
  select side, product_id, 'externalIds', extra -> 'externalIds' from products
  union all
  select side, product_id, 'pricesByFinish.*', finishes.value
  from (select side, product_id, price_extra -> 'pricesByFinish' as finishes from products where price_extra is not null) p,
    json_each(p.finishes) finishes
),
keys as (
  select distinct side, product_id, place, place || '.' || entries.key as key
  from (select * from places where json_type(holder) = 'OBJECT') p, json_each(p.holder) entries
  where entries.value::varchar not in ('null', '[]', '{}', '""')
    and not list_contains(
      case when side = 'after' then getvariable('known_after') else getvariable('known_before') end, entries.key
    )
),
seen as (
  select key from keys where side = 'before' group by key
  having count(distinct product_id) > getvariable('slips') * (select count(*) from before.products)
),
fresh as (
  select product_id, place = 'externalIds' as is_id, key, key in (from seen) as is_seen
  from (from keys where side = 'after') now anti join (from keys where side = 'before') earlier using (product_id, key)
),
known as (
  select product_id, is_id, count(distinct name) filter (side = 'before') as was, count(distinct name) filter (side = 'after') as is_now
  from (
    select 'before' as side, product_id, false as is_id, source as name from before.source_prices
    union all select 'after', product_id, false, source from after.source_prices
    union all select 'before', product_id, true, system from before.external_ids
    union all select 'after', product_id, true, system from after.external_ids
  ) semi join fresh using (product_id, is_id)
  group by all
)
select key, count(distinct product_id) as products
from fresh left join known using (product_id, is_id)
where getvariable('is_first') = 1 or is_now < was or (not is_seen and coalesce(is_now, 0) = 0)
group by grouping sets ((key), ())
order by products desc, key;
