-- drift: what the feed says beyond the contract: keys it does not know, words outside the known lists, percentages that are rounded
-- grain:  one row per (game_id, kind, place, word)
-- reads:  finish_prices, expansions, products and every table with a finish, language, condition or region; variables unknown_keys, known_words
-- checks: (game_id, kind, place, word) is unique
-- columns:
--   game_id varchar: the game's id
--   kind varchar: key (kept in `extra`), word (kept as text) or rounded (a percentage with more than four places, or too great and then in `extra`)
--   place varchar: for a key its list; for a rounded percentage its table; for a word finish, language, productCategory, condition, region or releaseDate
--   word varchar: the key's path (* for all keys beyond the first 10,000), the percentage's column, or the word
--   records bigint: how many records carry it
create view drift as
with known as (
  select from_json(getvariable('known_words'), '{"finish": ["varchar"], "language": ["varchar"], "productCategory": ["varchar"],
    "condition": ["varchar"], "region": ["varchar"]}') as words
),
said as (
  select 'finish' as place, finish as word from product_finishes group by all
  union select 'finish', finish from source_prices group by all
  union select 'finish', finish from marketplace_prices group by all
  union select 'finish', finish from external_ids group by all
  union select 'language', language from product_languages group by all
  union select 'language', language from source_price_conditions group by all
  union select 'language', language from marketplace_price_conditions group by all
  union select 'productCategory', product_category from products group by all
  union select 'region', region from marketplace_prices group by all
  union select 'condition', condition from source_price_conditions group by all
  union select 'condition', condition from marketplace_price_conditions group by all
),
unknown as (
  select place, word
  from said, known
  where word is not null and not list_contains(case place
    when 'finish' then words.finish when 'language' then words.language when 'condition' then words.condition
    when 'region' then words.region else words."productCategory" end, word)
),
carried as (
  select 'finish' as place, finish as word, product_id from product_finishes
  union all select 'finish', finish, product_id from source_prices
  union all select 'finish', finish, product_id from marketplace_prices
  union all select 'finish', finish, product_id from external_ids
  union all select 'language', language, product_id from product_languages
  union all select 'language', language, product_id from source_price_conditions
  union all select 'language', language, product_id from marketplace_price_conditions
  union all select 'productCategory', product_category, product_id from products
  union all select 'region', region, product_id from marketplace_prices
  union all select 'condition', condition, product_id from source_price_conditions
  union all select 'condition', condition, product_id from marketplace_price_conditions
),
no_instant as (
  select extra ->> 'releaseDate' as word from expansions where extra is not null
  union all
  select extra ->> 'releaseDate' from products where extra is not null
),
-- filtered before it is taken apart: a night of a million products rounds none
rounded as (
  select product_id, unnest([blocks."sourceEur", blocks."sourceUsd"]) as block
  from finish_prices
  where is_rounded(blocks."sourceEur") or is_rounded(blocks."sourceUsd")
),
percentages as (
  select product_id, unnest([
    case when loses_digits(block.change24h) then 'change_24h' end,
    case when loses_digits(block.change7d) then 'change_7d' end,
    case when loses_digits(block.change30d) then 'change_30d' end
  ]) as word
  from rounded
)
select getvariable('game_id') as game_id, * from (
  select 'word' as kind, place, word, count(distinct product_id) as records from carried join unknown using (place, word)
  group by place, word
  union all
  select 'word', 'releaseDate', word, count(*) from no_instant where word is not null group by word
  union all
  select 'rounded', 'source_prices', word, count(distinct product_id) from percentages where word is not null
  group by word
  union all
  select 'key', k.kind, k.path, k.records
  from (select unnest(from_json(getvariable('unknown_keys'), '[{"kind": "varchar", "path": "varchar", "records": "bigint"}]')) as k)
)
order by kind, place, word;
