-- What tells whether a product was touched, of two snapshots whose row hashes cannot be compared: its compared columns and its lists.
-- reads: schema side, which is before or after, and the names of the columns for `fields`
select
  p.product_id,
  md5(row(fields, l.languages, f.finishes, x.ids, t.names)::varchar) as mark
from side.products p
left join (
  select product_id, list(language order by position) as languages from side.product_languages group by product_id
) l on l.product_id = p.product_id
left join (
  select product_id, list(finish order by position) as finishes from side.product_finishes group by product_id
) f on f.product_id = p.product_id
left join (
  select product_id, list(row(system, position, finish, external_id) order by system, position) as ids
  from side.external_ids group by product_id
) x on x.product_id = p.product_id
left join (
  select product_id, list(row(language, name, extra) order by language) as names from side.translations group by product_id
) t on t.product_id = p.product_id
