-- own_said: each row of a file, with its values converted to those of the lake
-- grain:  one row per row of the file, two if it counts foils in a separate column
-- reads:  own_file, games; variables own_currency (of prices paid if the file has none), own_game (one game's id; null = all)
-- columns:
--   row: its number in the file, from 1 after the header
--   line: its number if both halves of a row count separately
--   file_quantity: the quantity in the file; null = not an integer
--   cards: single cards; a playset is four
--   list_kind: collection; deck = a deck, whose cards may be in a binder, too; list = a wish list
--   game_wanted: the game that the row or the command names; null = any
create or replace temp table own_said as
with counted as (
  select * replace (if(foil_quantity is null, quantity, coalesce(quantity, '0')) as quantity), null::varchar as finish_counted
  from own_file where coalesce(foil_quantity, '0') = '0' or coalesce(quantity, '0') <> '0'
  union all
  select * replace (foil_quantity as quantity), 'foil' from own_file where coalesce(foil_quantity, '0') not in ('0', '')
),
-- a macro is expanded with its argument at every call, so shared intermediate values are columns first
folded as (
  select *, search.folded(name) as name_folded, search.folded(set_code) as code, search.folded(set_name) as set_folded,
    search.folded(number) as number_whole, search.folded(condition) as condition_folded, search.folded(list_kind) as kind_folded,
    own_tail_language(condition) as tail_language,
    coalesce(
      finish_counted, nullif(if(own_flag(also_finish, 'reverse holo'), 'reverse holofoil', ''), ''),
      if(search.folded(finish) in ('0', 'false') and also_finish is not null, '', finish)
    ) as finish_words
  from counted
),
-- a finish may end with a language, as in `Near Mint Foil - Japanese`
ended as (
  select * replace (if(own_tail_language(finish_words) is null, finish_words, regexp_replace(finish_words, ' - [^-]+$', '')) as finish_words)
  from folded
),
worded as (
  select *, own_finish(finish_words) as finish_text,
    try_cast(regexp_extract(coalesce(quantity, '1'), '^\s*(\d{1,9})\s*[xX]?\s*$', 1) as bigint) as file_quantity
  from ended
)
select row, row_number() over (order by row, finish_counted nulls first) as line, said, list,
  case
    when own_flag(watched, 'watchlist') or regexp_matches(kind_folded, '^(list|wish ?list|want ?list|watch ?list)') then 'list'
    when contains(kind_folded, 'deck') then 'deck'
    else 'collection'
  end as list_kind,
  file_quantity, file_quantity * if(own_flag(playset, 'playset'), 4, 1) as cards,
  coalesce(getvariable('own_game')::varchar, game_id) as game_wanted, game as game_said,
  try_cast(product_id as bigint) as product_said, source_eur, source_usd, lower(mtg_id) as mtg_id,
  name, name_folded, set_code, code, set_name, set_folded, number,
  if(starts_with(number_whole, code) and number_whole <> code, ltrim(number_whole[length(code) + 1:], ' 0'),
    regexp_extract(number_whole, '^\S+')) as number_folded,
  finish_text, own_finish_kind(finish_text) as finish_kind, condition as condition_said, own_condition(condition_folded) as condition,
  language as language_said, coalesce(own_language(language), tail_language) as language,
  if(search.folded(grade) in ('', 'ungraded', 'raw', 'none'), null, grade) as grade,
  own_flag(altered, 'altered|alter') as is_altered, own_flag(signed, 'signed') as is_signed, own_flag(misprint, 'misprint') as is_misprint,
  own_flag(proxy, 'proxy') as is_proxy,
  nullif(own_money(paid), 0) as paid, coalesce(own_currency(currency), own_currency(paid), getvariable('own_currency')::varchar) as paid_currency, added
from worded;
