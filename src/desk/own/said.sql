-- own_said: the rows of a file, with folded texts to compare and values of the lake
-- grain:  one row per row of the file, two if it counts foils in a separate column
-- reads:  own_file, search.texts; variable own_game (one game's id; null = all)
-- columns:
--   row: its number in the file, from 1 after the header
--   line: its number if both halves of a row count separately
--   file_quantity: the quantity in the file; null = not understood
--   cards: single cards; a playset is four
--   list_kind: collection; deck = a deck, whose cards may be in a binder, too; list = a wish list
--   game_wanted: the game that the row or the command names; null = any
--   condition_said, language_said: as in the file; if `condition` or `language` is null then, it was not understood
create or replace temp table own_said as
with either as (select distinct set_either, search.folded(set_either) as folded from own_file where set_either is not null),
-- `Set` is the code or the name of a set: what the lake has, else a word of at most six letters is a code
sets as (
  select set_either, coalesce(bool_or(t.set_name = folded), false) as is_name,
    coalesce(bool_or(t.code = folded), false) or not is_name and regexp_full_match(any_value(folded), '\S{1,6}') as can_be_code
  from either left join (select distinct code, set_name from search.texts) t on t.code = folded or t.set_name = folded
  group by set_either
),
-- a macro is expanded with its argument at every call, so shared intermediate values are columns first
folded as (
  select f.* replace (
      coalesce(f.set_code, if(s.can_be_code, f.set_either, null)) as set_code,
      coalesce(f.set_name, if(s.is_name or not s.can_be_code, f.set_either, null)) as set_name
    ),
    search.folded(f.name) as name_folded, search.folded(f.list_kind) as kind_folded,
    search.folded(f.finish) as finish_text
  from own_file f left join sets s on s.set_either = f.set_either
),
coded as (
  select *, search.folded(set_code) as code, search.folded(set_name) as set_folded from folded
)
select row, row_number() over (order by row, is_foil_count) as line, said, list,
  case
    when regexp_matches(kind_folded, '^(list|wish ?list|want ?list|watch ?list)') then 'list'
    when contains(kind_folded, 'deck') then 'deck'
    else 'collection'
  end as list_kind,
  file_quantity, cards, coalesce(getvariable('own_game')::varchar, game_id) as game_wanted, game as game_said,
  product_id as product_said, source_eur, source_usd, lower(mtg_id) as mtg_id, name, name_folded, set_code, code, set_name, set_folded, number,
  finish_text, condition_said, condition, language_said, language, grade,
  is_altered, is_signed, is_misprint, is_proxy, paid, paid_currency, added
from coded;

drop table own_file;
