-- own_rows: the facts of a file's rows about their cards, with folded texts to compare and values of the lake
-- grain:  one row per row of own_file
-- reads:  own_file, search.texts; variable own_game (one game's id; null = all)
-- columns:
--   line: its place in own_file, which has two rows for a row of the file that counts foils in a separate column
--   game_wanted: the game that the row or the command names; null = any
--   answer_key: identifies what a row says about its card, and so the reader's answer to it, whatever game the command names
create or replace temp table own_rows as
with file as not materialized (
  select row_number() over () as line, game_id, game, product_id, source_eur, source_usd, mtg_id, name, set_code, set_name, "set" as set_either, number, finish, language from own_file
),
either as (select distinct set_either, search.folded(set_either) as folded from file where set_either is not null),
-- `Set` is the code or the name of a set: what the lake has, else a word of at most six letters is a code
sets as (
  select set_either, coalesce(bool_or(t.set_name = folded), false) as is_name,
    coalesce(bool_or(t.code = folded), false) or not is_name and regexp_full_match(any_value(folded), '\S{1,6}') as can_be_code
  from either left join (select distinct code, set_name from search.texts) t on t.code = folded or t.set_name = folded
  group by set_either
),
-- a macro is expanded with its argument at every call, so shared intermediate values are columns first
facts as (
  select f.line, f.game_id, coalesce(getvariable('own_game')::varchar, f.game_id) as game_wanted, f.game as game_text, f.product_id as row_product_id,
    regexp_replace(f.source_eur, '^([0-9]+)[.,]0+$', '\1') as source_eur, regexp_replace(f.source_usd, '^([0-9]+)[.,]0+$', '\1') as source_usd,
    lower(f.mtg_id) as mtg_id, f.name, coalesce(f.set_code, if(s.can_be_code, f.set_either, null)) as set_code,
    coalesce(f.set_name, if(s.is_name or not s.can_be_code, f.set_either, null)) as set_name, regexp_replace(f.number, '^([0-9]+)[.,]0+$', '\1') as number, search.folded(f.finish) as finish_text, f.language
  from file f left join sets s on s.set_either = f.set_either
)
select * exclude (game_id), md5(concat_ws(chr(31), coalesce(game_id, game_text, ''), coalesce(row_product_id::varchar, ''), coalesce(source_eur, ''), coalesce(source_usd, ''),
  coalesce(mtg_id, ''), coalesce(name, ''), coalesce(set_code, ''), coalesce(set_name, ''), coalesce(number, ''), coalesce(finish_text, ''), coalesce(language, ''))) as answer_key
from facts;
