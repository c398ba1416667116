-- One row per key of a price block or an external id that the contract does not know, where it holds something: in how many products.
-- The row without a key counts the products with any of them.
-- reads: schema after; variable known_keys (names that the contract knows there)
with places as (
  select product_id, 'prices' as place, price_extra -> 'prices' as holder from after.products where price_extra is not null
  union all
  select product_id, 'externalIds', extra -> 'externalIds' from after.products where extra is not null
  union all
  select product_id, 'pricesByFinish.*', finishes.value
  from (select product_id, price_extra -> 'pricesByFinish' as finishes from after.products where price_extra is not null) p,
    json_each(p.finishes) finishes
),
keys as (
  select product_id, place || '.' || entries.key as key
  from (select * from places where json_type(holder) = 'OBJECT') p, json_each(p.holder) entries
  where entries.value::varchar not in ('null', '[]', '{}', '""') and entries.key not in (select unnest(getvariable('known_keys')))
)
select key, count(distinct product_id) as products
from keys
group by grouping sets ((key), ())
order by products desc, key;
