-- own_answers: the reader's answers, or those in the game that the command names; null = no product of the lake
-- grain:  one row per answer_key
-- reads:  variables own_answers (the answers as JSON), own_game
create or replace temp table own_answers as
select key as answer_key, "gameId" as game_id, "productId" as product_id
from (select unnest(from_json(getvariable('own_answers')::varchar, '[{ "key": "varchar", "gameId": "varchar", "productId": "bigint" }]'), recursive := true))
where coalesce("gameId" = getvariable('own_game')::varchar, true);

-- own_finish_kind: standard, foil or etched, from a folded finish; null = another word
create or replace temp macro own_finish_kind(finish) as case
  when finish in ('', 'normal', 'nonfoil', 'non foil', 'regular', 'standard') then 'standard'
  when contains(finish, 'etched') then 'etched'
  when regexp_matches(finish, '(^| )(foil|foils|foiled|holo|holos|holofoil|holographic)( |$)') then 'foil'
end;

-- own_game_words: the words of a game's name
create or replace temp macro own_game_words(title) as
  trim(regexp_replace(search.folded(replace(title, '&', ' and ')), '(^| )(tcg|ccg|trading card game|trading cards?)( |$)', ' ', 'g'));

-- own_system_bit: a number of one bit for each system of external ids that files name
create or replace temp macro own_system_bit(system) as case system when 'sourceEur' then 1 when 'sourceUsd' then 2 when 'mtgId' then 4 else 0 end;

-- own_exactness: how exactly a row's name is a product's: the two have a key in common
create or replace temp macro own_exactness(row_name, product_name) as case
  when row_name.lowered = product_name.lowered then 4
  when row_name.folded = product_name.folded then 3
  when row_name.is_whole and product_name.is_whole then 2
  else 1
end;

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

-- own_rules: what a candidate is by what the facts of a row say of it. The first rule that fits a candidate counts
-- grain:  one row per rule
-- columns:
--   rank: strength; of a row's candidates those of the lowest rank count
--   outcome: match; doubt = the row is ambiguous; open = the candidate is only proposed to the reader
--   by: what the verdict says; null = the external id's system
--   product_id, external_id: agrees, contradicts or silent; answered = the reader answered that it is this product
--   place: named = in the set that the row names; extras, sister = in a set beside it; not here = the lake lacks the row's set; silent = it names none
--   number: agrees, contradicts, silent (the row has none), or unknown (the product has none)
--   name: agrees, like (one has more words), contradicts or silent
--   edition: agrees, contradicts or silent
--   is_only: whether the set and those beside it have no other product of the name
--   is_alone_enough: whether a name decides without a set: not if the lake lacks the only game of the tool
-- absent: null = any
create or replace temp table own_rules as
select rank, outcome, "by", string_split(product_id, '|') as product_ids, string_split(external_id, '|') as external_ids, string_split(place, '|') as places,
  string_split(number, '|') as numbers, string_split(name, '|') as names, string_split(edition, '|') as editions, is_only, is_alone_enough
from (values
  (5, 'match', 'your answer', 'answered', null, null, null, null, null, null, null),
  -- an id outranks codes and numbers, which differ between tools; another name makes it doubtful
  (10, 'match', 'product id', 'agrees', null, null, null, 'agrees|like|silent', null, null, null),
  (11, 'doubt', 'product id', 'agrees', null, null, null, 'contradicts', null, null, null),
  (20, 'match', null, 'silent', 'agrees', null, null, 'agrees|like|silent', null, null, null),
  (21, 'doubt', null, 'silent', 'agrees', null, null, 'contradicts', null, null, null),
  -- an external id that is not the product's decides nothing here: each language of a card has its own at some sources
  (30, 'match', 'set and number', 'silent', null, 'named', 'agrees', 'agrees|like|silent', 'agrees|silent', null, null),
  (40, 'match', 'name', 'silent', 'silent', 'named', 'silent', 'agrees', 'agrees|silent', null, null),
  (40, 'match', 'name', 'silent', null, 'named', 'silent', 'agrees', 'agrees|silent', true, null),
  -- a number that no product of the set has may be of the set's extras, which tools count with the set
  (40, 'match', 'name', 'silent', null, 'named|extras', 'unknown', 'agrees', 'agrees|silent', null, null),
  -- tools number old sets in their own way
  (45, 'match', 'name', 'silent', null, 'named', 'contradicts', 'agrees', 'agrees|silent', true, null),
  (50, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'agrees', 'agrees', 'agrees|silent', null, null),
  (55, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'silent|unknown', 'agrees', 'agrees|silent', null, null),
  (55, 'match', 'name in a set beside it', 'silent', null, 'extras|sister', 'contradicts', 'agrees', 'agrees|silent', true, null),
  -- without a number, an id of another print leaves all prints of the name
  (55, 'match', 'name', 'silent', 'contradicts', 'named', 'silent', 'agrees', 'agrees|silent', false, null),
  (60, 'match', 'name', 'silent', null, 'silent', null, 'agrees', 'agrees|silent', null, true),
  (70, 'open', 'another card', 'silent', null, 'named', 'agrees', 'contradicts', null, null, null),
  (71, 'open', 'another number', 'silent', null, 'named|extras|sister', 'contradicts', 'agrees', 'agrees|silent', false, null),
  (72, 'open', 'another edition', 'silent', null, 'named|extras|sister|silent', null, 'agrees|like', 'contradicts', null, null),
  (73, 'open', 'no such set', 'silent', null, 'not here', null, 'agrees', null, null, null),
  (74, 'open', 'no such game', 'silent', null, 'silent', null, 'agrees', null, null, false),
  (75, 'open', 'another set', 'silent', null, 'other', null, 'agrees', null, null, null)
) rules(rank, outcome, "by", product_id, external_id, place, number, name, edition, is_only, is_alone_enough);

-- own_games: the games of the lake that a row's or a tool's game can mean: those with exactly that name or its initials, else with the longest contained
-- name, else all that contain it; `&` is `and`, and `TCG` says nothing
-- grain:  one row per (game_text, game_id)
-- reads:  own_rows, games; variable own_tool_game
create or replace temp table own_games as
with names as (
  select distinct game_text, own_game_words(game_text) as folded from (select game_text from own_rows union select getvariable('own_tool_game')::varchar) where game_text is not null
),
here as (
  select game_id, own_game_words(name) as folded, own_game_words(game_id) as id from games
),
fitting as (
  select s.game_text, g.game_id, case
    when replace(s.folded, ' ', '') in (replace(g.folded, ' ', ''), replace(g.id, ' ', '')) then 1000000
    when s.folded = array_to_string(list_transform(string_split(g.folded, ' '), lambda word: word[1]), '') and length(s.folded) > 1 then 1000000
    when contains(' ' || s.folded || ' ', ' ' || g.folded || ' ') then 1 + length(g.folded)
    when contains(' ' || g.folded || ' ', ' ' || s.folded || ' ') then 0
  end as fit
  from names s cross join here g
)
select game_text, game_id from fitting where fit is not null qualify fit = max(fit) over (partition by game_text);

-- own_scopes: the games in which a row's card is searched: the game that the row says, the only game of its tool, or all
-- grain:  one row per (scope, game_id)
-- reads:  own_rows, own_games, games; variable own_tool_game
-- columns:
--   scope: hash of game_text and game_wanted
--   is_alone_enough: whether a name decides without a set
create or replace temp table own_scopes as
with names as (
  select distinct game_text, game_wanted, coalesce(game_text, if(game_wanted is null, getvariable('own_tool_game')::varchar, null)) as game from own_rows
),
known as (
  select *, game is null or game in (select game_text from own_games) as is_here from names
)
select hash(s.game_text, s.game_wanted) as scope, g.game_id, s.is_here as is_alone_enough
from known s join games g on g.game_id = coalesce(s.game_wanted, g.game_id)
where s.game is null or (s.game, g.game_id) in (select (game_text, game_id) from own_games) or not s.is_here and s.game_text is null;

-- own_expansions: the sets of the lake
-- grain:  one row per (game_id, expansion_id)
-- columns:
--   expansion: a number in place of the two ids, which joins compare faster
--   set_key: the words of its name in the order of the alphabet: `Vale Commander` is `Commander: Vale`
--   family: its name without what makes it the extras, the promos or the commander decks of another set
create or replace temp table own_expansions as
select row_number() over ()::integer as expansion, game_id, expansion_id, name, search.folded(code) as code, search.in_order(search.folded(name)) as set_key,
  lower(regexp_replace(regexp_replace(name, ': (Extras|Promos)$', ''), '^Commander: ', '')) as family
from expansions;

-- own_lookups: the distinct cards to look up
-- grain:  one row per lookup, the first of its lines
-- columns:
--   number: as in the product's number, without the total of `7/200`; may begin with the set's code
--   code: the set's code, or that which the number carries: `SHB001`, `LDQ2-EN043`
--   set_id: hash of all that says the set; null = the row names none
--   systems: of its external ids, by own_system_bit
--   edition: first, unlimited or alpha, of finishes such as `1st Edition Rainbow Foil`; finish_wanted: the finish without it, unless the lake has that finish
create or replace temp table own_lookups as
with numbered as (
  select s.line as lookup, s.* exclude (line, number), s.number as number_text, search.folded(s.name) as name_folded,
    nullif(search.folded(s.set_code), '') as code, nullif(search.folded(s.set_name), '') as set_folded,
    nullif(replace(search.folded(replace(replace(trim(split_part(s.number, '/', 1)), '*', 'star'), '★', 'star')), ' ', ''), '') as number
  -- a finish of no words is the ordinary one, and no finish is none: the key does not tell them apart
  from own_rows s semi join (select min(line) as line from own_rows group by answer_key, finish_text is null) f using (line)
),
carried as (
  select n.lookup, coalesce(max_by(e.code, length(e.code)), search.folded(regexp_extract(any_value(n.number_text), '^([0-9]?[A-Za-z][A-Za-z0-9]{1,5})-\w*\d', 1))) as code
  from numbered n
  left join (select distinct code from own_expansions) e
    on length(e.code) > 1 and starts_with(n.number, e.code) and regexp_matches(n.number[length(e.code) + 1:], '^[0-9]|^(en|de|fr|it|es|pt|jp)[0-9]')
  where n.code is null and n.set_folded is null and n.number is not null
  group by n.lookup
),
coded as (
  select n.* replace (coalesce(n.code, nullif(c.code, '')) as code), search.in_order(n.set_folded) as set_key from numbered n left join carried c using (lookup)
)
select *, hash(game_text, game_wanted) as scope, if(code is null and set_key is null, null, hash(game_text, game_wanted, code, set_key)) as set_id,
  if(source_eur is null, 0, own_system_bit('sourceEur')) + if(source_usd is null, 0, own_system_bit('sourceUsd')) + if(mtg_id is null, 0, own_system_bit('mtgId')) as systems,
  if(name_folded = '', search.wordless(name), search.in_order(name_folded)) as key,
  case when not regexp_matches(finish_text, '\b(1st|first|unlimited|alpha)\b') then null when regexp_matches(finish_text, '\b(1st|first)\b') then 'first'
    when contains(finish_text, 'unlimited') then 'unlimited' when contains(finish_text, 'alpha') then 'alpha' end as edition,
  if(edition is null or finish_text in (select array_to_string(words, ' ') from search.finishes), finish_text,
    trim(regexp_replace(finish_text, '\b((1st|first|unlimited|alpha)( edition)?|edition)\b', '', 'g'))) as finish_wanted
from coded;

-- own_lines: which rows share a lookup
-- grain:  one row per row of own_file
create or replace temp table own_lines as
select s.line, a.lookup from own_rows s join own_lookups a on a.answer_key = s.answer_key and (a.finish_text is null) = (s.finish_text is null);

drop table own_rows;

-- own_sets: the sets that rows name, and those beside them: the extras, promos and commander decks of the same set
-- grain:  one row per (set_id, expansion)
-- columns:
--   place: named; extras = the extras of a named set; sister = another set beside it
--   is_split: whether the row's code is of one set and its name of another
create or replace temp table own_sets as
with wanted as (
  select distinct set_id, scope, code, set_key from own_lookups where set_id is not null
),
fitting as (
  select s.set_id, e.expansion, e.game_id, e.name, e.family, coalesce(e.code = s.code, false) as has_code, coalesce(e.set_key = s.set_key, false) as has_name
  from wanted s join own_scopes o using (scope) join own_expansions e on e.game_id = o.game_id and (e.code = s.code or e.set_key = s.set_key)
),
-- a code of two sets means the one that has the name, too
named as (
  select *, bool_or(has_code) over own and bool_or(has_name) over own and not bool_or(has_code and has_name) over own as is_split
  from fitting window own as (partition by set_id) qualify has_code::integer + has_name::integer = max(has_code::integer + has_name::integer) over own
)
select set_id, expansion, 'named' as place, is_split from named
union all
select n.set_id, e.expansion, if(bool_or(e.name = n.name || ': Extras'), 'extras', 'sister'), false
from named n join own_expansions e on e.game_id = n.game_id and e.family = n.family
anti join named m on m.set_id = n.set_id and m.expansion = e.expansion
group by all;

-- own_places: the sets of each lookup
-- grain:  one row per (lookup, expansion)
create or replace temp table own_places as
select a.lookup, a.number, s.expansion, s.place from own_lookups a join own_sets s using (set_id);
