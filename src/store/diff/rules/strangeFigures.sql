-- One row per key inside price blocks that the contract does not know, where it holds figures and something that the contract has in its place is
-- in no object that has the key: what is missing, and in how many products it counts. The row without a key counts the products with any.
-- In a first night every product with such a key counts. Later one that did not have it, and that had what is missing; or that had no such prices
-- at all, unless more than slips of the published products have the key: whoever released that saw it. Names are those of the spec.
-- reads: schemas before and after; of a first night (variable is_first) nothing was before; variables slips (a share), price_figures and
-- figure_keys (columns of source_prices, and their keys in the feed)
with holders as (
  select 'after' as side, product_id, finish, source as word, '' as region, extra from after.source_prices where extra is not null
  union all
  select 'after', product_id, finish, 'marketplace', coalesce(region, ''), extra from after.marketplace_prices where extra is not null
  union all
  select 'before', product_id, finish, source, '', extra from before.source_prices where extra is not null and getvariable('is_first') = 0
  union all
  select 'before', product_id, finish, 'marketplace', coalesce(region, ''), extra from before.marketplace_prices
  where extra is not null and getvariable('is_first') = 0
),
buckets as (
  select h.* exclude extra, entries.key as condition, entries.value as bucket from holders h, json_each(h.extra -> 'byCondition') entries
),
entries as (
  select h.* exclude extra, 0 as level, '' as condition, '' as language, e.key, e.value from holders h, json_each(h.extra) e where e.key <> 'byCondition'
  union all
  select b.* exclude (condition, bucket), 1, b.condition, '', e.key, e.value from buckets b, json_each(b.bucket) e where e.key <> 'byLanguage'
  union all
  select b.* exclude (condition, bucket), 2, b.condition, languages.key, e.key, e.value
  from buckets b, json_each(b.bucket -> 'byLanguage') languages, json_each(languages.value) e
),
-- After texts are removed from a value, any digit is part of a figure.
keys as (
  select * exclude (value, plain), regexp_matches(plain, '\{[^}]*\{') as is_nested
  from (select *, regexp_replace(value::varchar, '"([^"\\]|\\.)*"', '', 'g') as plain from entries)
  where regexp_matches(plain, '[0-9]')
),
-- Optional keys of the contract, by place.
expected(is_region, is_source, level, known, is_container) as (
  select false, true, 0, unnest(getvariable('figure_keys')), false
  union all
  values (false, true, 0, 'byCondition', true), (false, true, 1, 'low', false), (false, true, 1, 'listingCount', false),
  (false, true, 1, 'availableQuantity', false), (false, true, 1, 'byLanguage', true), (false, true, 2, 'low', false),
  (false, true, 2, 'listingCount', false), (false, true, 2, 'availableQuantity', false), (false, false, 0, 'regions', true),
  (true, false, 0, 'byCondition', true), (true, false, 1, 'byLanguage', true)
),
sources as (select 'after' as side, * from after.source_prices union all by name select 'before' as side, * from before.source_prices),
depths as (
  select 'after' as side, *, source as word, '' as region from after.source_price_conditions
  union all by name select 'before' as side, *, source as word, '' as region from before.source_price_conditions
  union all by name
  select 'after' as side, * exclude (low, listing_count, available_quantity), 'marketplace' as word from after.marketplace_price_conditions
  union all by name
  select 'before' as side, * exclude (low, listing_count, available_quantity), 'marketplace' as word from before.marketplace_price_conditions
),
-- Known keys that products with unknown keys have.
known as (
  select side, product_id, finish, source as word, '' as region, 0 as level, '' as condition, '' as language,
    getvariable('figure_keys')[list_position(getvariable('price_figures'), figure)] as known
  from (
    unpivot (from sources semi join keys using (product_id)) on columns(getvariable('price_figures')) into name figure value amount
  )
  union all
  select side, product_id, finish, word, region, if(language is null, 1, 2), condition, coalesce(language, ''),
    unnest([if(low is null, null, 'low'), if(listing_count is null, null, 'listingCount'), if(available_quantity is null, null, 'availableQuantity')])
  from depths semi join keys using (product_id)
  union all
  select distinct side, product_id, finish, word, region, if(language is null, 0, 1), if(language is null, '', condition), '',
    if(language is null, 'byCondition', 'byLanguage')
  from depths semi join keys using (product_id)
  union all
  select distinct side, product_id, finish, 'marketplace', '', 0, '', '', 'regions'
  from (
    select 'after' as side, product_id, finish, region from after.marketplace_prices
    union all select 'before', product_id, finish, region from before.marketplace_prices
  ) semi join keys using (product_id)
  where region is not null
),
places as (
  select k.*, e.known, e.is_container, p.product_type = 'sealed' as is_sealed, k.region <> '' as is_region
  from keys k
  join expected e on e.level = k.level and e.is_region = (k.region <> '') and e.is_source = (k.word <> 'marketplace')
    and (k.is_nested or not e.is_container)
  join after.products p using (product_id)
  where side = 'after'
),
gone as (
  select word, is_region, level, is_sealed, key, known
  from places left join (select *, true as is_there from known where side = 'after' and known is not null) k
    using (product_id, finish, word, region, level, condition, language, known)
  group by all
  having count(is_there) = 0
),
now as (select distinct product_id, word, is_region, level, is_sealed, key from places semi join gone using (word, is_region, level, is_sealed, key)),
earlier as (select distinct product_id, word, region <> '' as is_region, level, key from keys where side = 'before'),
seen as (
  select word, is_region, level, key from earlier group by all
  having count(*) > getvariable('slips') * (select count(*) from before.products)
),
had as (
  select distinct product_id, word, region <> '' as is_region, level, known from known
  where side = 'before' and known is not null and getvariable('is_first') = 0
),
fresh as (
  select now.*, (now.word, now.is_region, now.level, now.key) in (select (word, is_region, level, key) from seen) as is_seen
  from now anti join earlier using (product_id, word, is_region, level, key)
),
lost as (
  select product_id, word, is_region, level, is_sealed, key from fresh
  where getvariable('is_first') = 1 or (not is_seen and (product_id, word) not in (select (product_id, word) from had))
  union
  select product_id, word, is_region, level, is_sealed, key
  from fresh join gone using (word, is_region, level, is_sealed, key) semi join had using (product_id, word, is_region, level, known)
),
named as (
  select product_id,
    concat(if(is_sealed, 'prices.', 'pricesByFinish.*.'), word, if(is_region, '.regions.*', ''), if(level > 0, '.byCondition.*', ''),
      if(level > 1, '.byLanguage.*', ''), '.', key) as key,
    (
      select list(known order by list_position(
        getvariable('figure_keys') || ['listingCount', 'availableQuantity', 'byCondition', 'byLanguage', 'regions'], known
      ))
      from gone g
      where (g.word, g.is_region, g.level, g.is_sealed, g.key) = (lost.word, lost.is_region, lost.level, lost.is_sealed, lost.key)
    ) as missing
  from lost
)
select key, any_value(missing).array_to_string(', ') as missing, count(distinct product_id) as products
from named
group by grouping sets ((key), ())
order by products desc, key;
