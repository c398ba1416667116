-- own_verdicts: what became of each lookup
-- grain:  one row per lookup
-- reads:  own_lookups, own_matches, own_sets, own_games, products; variable own_tool_game
-- columns:
--   reason: the verdict without names and numbers, so that equal ones are counted together
create or replace temp table own_verdicts as
with judged as (
  select a.*, m.* exclude (lookup), coalesce(a.set_code, a.code) as code_text,
    a.game_text is not null and a.game_text not in (select game_text from own_games) as is_unknown_game,
    coalesce(a.row_product_id::varchar, a.source_eur, a.source_usd, a.mtg_id) is not null as has_id,
    a.set_id is not null and a.set_id not in (select set_id from own_sets) as is_unknown_set,
    a.answer_key in (select answer_key from own_answers where product_id is null) as is_none,
    s.split_id is not null as is_split,
    if(m.outcome = 'match' and m.place_fact in ('named', 'silent') and s.split_id is null and m.number_fact <> 'contradicts' and m.name_fact <> 'like', null, m.product_id) as named_id
  from own_lookups a left join own_matches m using (lookup)
  left join (select distinct set_id as split_id from own_sets where is_split) s on s.split_id = a.set_id
),
-- the names of products, where a verdict has one
named as (
  select j.*, coalesce(if(length(code_text) <= 6, upper(code_text), code_text), set_name) as set_text, p.name as product_name, p.print_number,
    coalesce(p.expansion_name, 'none') as product_set
  from judged j left join products p on p.game_id = j.game_id and p.product_id = j.named_id
),
compared as (
  select *, if(outcome <> 'match' or product_name is null or "by" = 'your answer', null, nullif(concat_ws(', and ',
      case when place_fact in ('other', 'extras', 'sister') or is_split and place_fact = 'named' then 'its set is ' || product_set || ' here' when place_fact = 'not here' then 'this lake has no set ' || set_text end,
      if(number_fact = 'contradicts', 'its number is ' || print_number || ' here', null),
      if(name_fact = 'like', 'it is called ' || product_name || ' here', null)), '')) as difference
  from named
),
-- each with its reason and its verdict
reasons as (
  select *, case
      when is_none then ['unknown: by your answer no product of this lake']
      when is_unknown_game and "by" is distinct from 'your answer' then ['unknown: of a game that this lake does not have', 'unknown: this lake has no game called ' || game_text]
      when outcome = 'doubt' then ['ambiguous: its id is of a card with another name', 'ambiguous: its ' || "by" || ' is ' || product_name || ' here']
      when outcome = 'match' and products > 1 then ['ambiguous: several products', 'ambiguous: ' || products || ' products']
      when difference is not null then ['matched by ' || "by" || ', with a difference', 'matched by ' || "by" || ', but ' || difference]
      when outcome = 'match' then ['matched by ' || "by"]
      when is_unknown_set then ['unknown: of a set that this lake does not have', 'unknown: this lake has no set ' || set_text]
      when "by" = 'another card' then ['unknown: its id or number is another card here', 'unknown: ' || coalesce(upper(code_text), set_name) || ' ' || number_text || ' is ' || product_name || ' here']
      when "by" = 'another number' then ['unknown: its set has no card of its number', 'unknown: no ' || name || ' ' || number_text || ' in ' || set_text]
      when "by" = 'another edition' then ['unknown: of another edition', 'unknown: ' || product_name || ' is here in another edition']
      when "by" = 'no such game' then ['unknown: without a set, and of a game that this lake does not have',
        'unknown: this lake has no game called ' || getvariable('own_tool_game')::varchar || ', and the row has no set']
      when name is not null and set_id is not null then ['unknown: its set has no card of its name', 'unknown: no ' || name || ' in ' || coalesce(set_name, code_text)]
      when name is not null then ['unknown: nothing here has its name', 'unknown: nothing here is called ' || name]
      when has_id then ['unknown: nothing here has its id']
      else ['unknown: it has neither an id nor a name']
    end as texts
  from compared
)
select lookup, name, set_code, set_name, number_text as number, finish_text, language, answer_key, candidates, products, game_id, product_id, finish,
  texts[1] as reason, coalesce(texts[2], texts[1]) as verdict,
  if(starts_with(texts[1], 'matched'), null, nullif(concat_ws(', ', 'product_id ' || row_product_id, 'sourceEur ' || source_eur, 'sourceUsd ' || source_usd, 'mtgId ' || mtg_id), '')) as ids
from reasons;

-- the cards need none of these, which are large
drop table own_lookups;
drop table own_matches;

-- own_stored: what is stored of each row beside what the file says
-- grain:  one row per row of own_file, in its order
create or replace temp table own_stored as
select v.* exclude (lookup) from own_lines l join own_verdicts v using (lookup) order by l.line;

drop table own_verdicts;

-- own_cards: an import's cards with their verdicts, as they are stored
-- grain:  one row per row of own_file
-- reads:  own_file, own_stored; variables own_collection, own_tool, own_imported_at
-- columns:
--   row: its number in the file, from 1 after the header
--   list_kind: collection; deck = a deck, whose cards may be in a binder, too; list = a wish list
--   file_quantity: the quantity in the file; null = not understood
--   cards: single cards; a playset is four
--   ids: of a row that is no product, the ids in the file, each with its kind
--   condition_said, language_said: as in the file; if `condition` or `language` is null then, it was not understood
--   candidates: how many products it can be; candidate_products: which, best first, also those that a row of no product may mean
create or replace temp view own_cards as
with counted as (
  select f.* exclude (name, set_code, set_name, number, language, game_id, product_id, finish), s.*, file_quantity is not null and starts_with(reason, 'matched') as is_known,
    search.folded(if(is_watched, 'watchlist', f.list_kind)) as kind
  from own_file f positional join own_stored s
)
select getvariable('own_collection') as collection, row, getvariable('own_tool') as tool, getvariable('own_imported_at')::timestamptz as imported_at, list,
  case when regexp_matches(kind, '^(list|wish ?list|want ?list|watch ?list|maybe|acquire)') then 'list' when contains(kind, 'deck') then 'deck' else 'collection' end as list_kind,
  file_quantity, cards, name, set_code, set_name, number, ids, condition_said, condition, language_said, language, grade, is_altered, is_signed, is_misprint, is_proxy,
  paid, if(paid is null, null, paid_currency) as paid_currency, added, if(is_known, game_id, null) as game_id, if(is_known, product_id, null) as product_id,
  if(is_known, finish, null) as finish, coalesce(finish_text, '') as finish_said, if(file_quantity is null, 'unknown: its quantity is not a whole number', verdict) as verdict,
  nullif(products, 0) as candidates, said, if(file_quantity is null, 'unknown: its quantity is not a whole number', reason) as reason, answer_key,
  if(is_known, null, candidates) as candidate_products
from counted;
