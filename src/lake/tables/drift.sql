-- drift: what the feed says beyond the contract: keys it does not know, words outside the known lists
-- grain:  one row per (game_id, kind, place, word)
-- reads:  expansions, product_finishes, product_languages, products, marketplace_prices; variables unknown_keys, known_words
-- checks: (game_id, kind, place, word) is unique
-- columns:
--   game_id: the game's id
--   kind: key (kept in `extra`) or word (kept as text)
--   place: for a key its list; for a word finish, language, productCategory, condition, region or releaseDate
--   word: the key's path, or the word
--   records: how many records carry it
create view drift as
with known as (
  select from_json(getvariable('known_words'), '{"finish": ["varchar"], "language": ["varchar"], "productCategory": ["varchar"],
    "condition": ["varchar"], "region": ["varchar"]}') as words
),
found as (
  select 'finish' as place, finish as word, count(*) as records, any_value(words.finish) as listed
  from product_finishes, known group by all
  union all
  select 'language', language, count(*), any_value(words.language) from product_languages, known group by all
  union all
  select 'productCategory', product_category, count(*), any_value(words."productCategory")
  from products, known where product_category is not null group by all
  union all
  select 'region', region, count(*), any_value(words.region) from marketplace_prices, known where region is not null group by all
  union all
  select 'condition', condition, count(*), any_value(words.condition) from marketplace_price_conditions, known group by all
),
no_instant as (
  select extra ->> 'releaseDate' as word from expansions where extra is not null
  union all
  select extra ->> 'releaseDate' from products where extra is not null
)
select getvariable('game_id') as game_id, * from (
  select 'word' as kind, place, word, records from found where not list_contains(listed, word)
  union all
  select 'word', 'releaseDate', word, count(*) from no_instant where word is not null group by word
  union all
  select 'key', k.kind, k.path, k.records
  from (select unnest(from_json(getvariable('unknown_keys'), '[{"kind": "varchar", "path": "varchar", "records": "bigint"}]')) as k)
)
order by kind, place, word;
