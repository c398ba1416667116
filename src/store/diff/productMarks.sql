-- What tells whether a product was touched: a mark of its compared columns and its lists. A mark is 64 bits, made anew for every comparison.
-- reads: schema side, which is before or after, and the names of the columns for `fields`; a line below `union all` is left out if the table's file is the same in both
select product_id, bit_xor(mark) as mark
from (
  select product_id, hash(hash(fields)) as mark from side.products
  union all select product_id, hash(hash('language', position, language)) from side.product_languages
  union all select product_id, hash(hash('finish', position, finish)) from side.product_finishes
  union all select product_id, hash(hash('id', system, position, finish, external_id)) from side.external_ids
  union all select product_id, hash(hash('translation', language, name, extra)) from side.translations
)
group by product_id
