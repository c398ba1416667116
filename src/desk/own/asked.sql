-- own_lines: which rows ask for the same card
-- grain:  one row per line
-- columns:
--   answer_key: identifies what a row says about its card, and so the reader's answer to it
create or replace temp table own_lines as
select line, md5(concat_ws(chr(31), coalesce(game_wanted, game_said, ''), coalesce(product_said::varchar, ''), coalesce(source_eur, ''), coalesce(source_usd, ''),
  coalesce(mtg_id, ''), coalesce(name, ''), coalesce(set_code, ''), coalesce(set_name, ''), coalesce(number, ''), coalesce(finish_text, ''), coalesce(language, ''))) as answer_key
from own_said;

-- own_games: the games of the lake that a row's or a tool's game can mean: those with exactly that name, else with the longest contained name, else all
-- that contain it; `&` is `and`, and `TCG` says nothing
-- grain:  one row per (game_said, game_id)
-- reads:  own_said, games; variable own_tool_game
create or replace temp table own_games as
with said as (
  select distinct game_said, own_game_words(game_said) as folded from (select game_said from own_said union select getvariable('own_tool_game')::varchar) where game_said is not null
),
here as (
  select game_id, own_game_words(name) as folded, own_game_words(game_id) as id from games
),
fitting as (
  select s.game_said, g.game_id, case
    when replace(s.folded, ' ', '') in (replace(g.folded, ' ', ''), replace(g.id, ' ', '')) then 1000000
    when contains(' ' || s.folded || ' ', ' ' || g.folded || ' ') then 1 + length(g.folded)
    when contains(' ' || g.folded || ' ', ' ' || s.folded || ' ') then 0
  end as fit
  from said s cross join here g
)
select game_said, game_id from fitting where fit is not null qualify fit = max(fit) over (partition by game_said);

-- own_scopes: the games in which a row's card is searched: the game that the row says, the only game of its tool, or all
-- grain:  one row per (game_said, game_wanted, game_id)
-- reads:  own_said, own_games, games; variable own_tool_game
-- columns:
--   is_alone_enough: whether a name decides without a set
create or replace temp table own_scopes as
select s.game_said, s.game_wanted, g.game_id,
  s.game_said is not null or s.game_wanted is not null or getvariable('own_tool_game')::varchar is null or getvariable('own_tool_game')::varchar in (select game_said from own_games) as is_alone_enough
from (select distinct game_said, game_wanted from own_said) s
join games g on g.game_id = coalesce(s.game_wanted, g.game_id)
left join own_games o on o.game_id = g.game_id and o.game_said = coalesce(s.game_said, getvariable('own_tool_game')::varchar)
where o.game_id is not null or s.game_said is null and (
  s.game_wanted is not null or getvariable('own_tool_game')::varchar is null or getvariable('own_tool_game')::varchar not in (select game_said from own_games));

-- own_expansions: the sets of the lake
-- grain:  one row per (game_id, expansion_id)
-- columns:
--   set_key: the words of its name in the order of the alphabet: `Vale Commander` is `Commander: Vale`
--   family: its name without what makes it the extras, the promos or the commander decks of another set
create or replace temp table own_expansions as
select game_id, expansion_id, code as code_here, name, search.folded(code) as code, search.in_order(search.folded(name)) as set_key,
  lower(regexp_replace(regexp_replace(name, ': (Extras|Promos)$', ''), '^Commander: ', '')) as family
from expansions;

-- own_asked: the distinct cards that rows ask for
-- grain:  one row per ask, the first of its lines
-- columns:
--   number: as in the product's number, without the total of `7/200`; may begin with the set's code
--   code: the set's code, or that which the number carries: `SHB001`, `LDQ2-EN043`
--   edition: first, unlimited or alpha, of finishes such as `1st Edition Rainbow Foil`
create or replace temp table own_asked as
with first_lines as (
  select answer_key, min(line) as ask from own_lines group by answer_key
),
numbered as (
  select f.ask, f.answer_key, s.game_said, s.game_wanted, s.product_said, s.source_eur, s.source_usd, s.mtg_id, s.name, s.name_folded, s.language, s.finish_text, s.finish_kind,
    nullif(s.code, '') as code, nullif(s.set_folded, '') as set_folded, s.number as number_said,
    nullif(replace(search.folded(replace(replace(regexp_replace(s.number, '\s*/.*$', ''), '*', 'star'), '★', 'star')), ' ', ''), '') as number
  from first_lines f join own_said s on s.line = f.ask
),
carried as (
  select n.ask, coalesce(max_by(e.code, length(e.code)), search.folded(regexp_extract(any_value(n.number_said), '^([0-9]?[A-Za-z][A-Za-z0-9]{1,5})-\w*\d', 1))) as code
  from numbered n
  left join (select distinct code from own_expansions) e
    on length(e.code) > 1 and starts_with(n.number, e.code) and regexp_matches(n.number[length(e.code) + 1:], '^[0-9]|^(en|de|fr|it|es|pt|jp)[0-9]')
  where n.code is null and n.set_folded is null and n.number is not null
  group by n.ask
)
select n.* replace (coalesce(n.code, nullif(c.code, '')) as code), search.in_order(n.set_folded) as set_key,
  if(n.name_folded = '', search.wordless(n.name), search.in_order(n.name_folded)) as key,
  case when regexp_matches(n.finish_text, '\b(1st|first) edition\b') then 'first' when regexp_matches(n.finish_text, '\bunlimited\b') then 'unlimited'
    when regexp_matches(n.finish_text, '\balpha\b') then 'alpha' end as edition
from numbered n left join carried c using (ask);

-- own_sets: the sets that rows name, and those beside them: the extras, promos and commander decks of the same set
-- grain:  one row per (game_said, game_wanted, code, set_key, game_id, expansion_id)
create or replace temp table own_sets as
with said as (
  select distinct game_said, game_wanted, code, set_key from own_asked where code is not null or set_key is not null
),
named as (
  select s.*, e.game_id, e.expansion_id, e.name, e.family
  from said s
  join own_scopes o on o.game_said is not distinct from s.game_said and o.game_wanted is not distinct from s.game_wanted
  join own_expansions e on e.game_id = o.game_id and (e.code = s.code or e.set_key = s.set_key)
  -- a code of two sets means the one that has the name, too
  qualify coalesce((e.code = s.code)::integer, 0) + coalesce((e.set_key = s.set_key)::integer, 0)
    = max(coalesce((e.code = s.code)::integer, 0) + coalesce((e.set_key = s.set_key)::integer, 0)) over (partition by s.game_said, s.game_wanted, s.code, s.set_key)
)
select game_said, game_wanted, code, set_key, game_id, expansion_id, 'named' as place from named
union all
select n.game_said, n.game_wanted, n.code, n.set_key, e.game_id, e.expansion_id, if(bool_or(e.name = n.name || ': Extras'), 'extras', 'sister')
from named n join own_expansions e on e.game_id = n.game_id and e.family = n.family
anti join named m on m.game_said is not distinct from n.game_said and m.game_wanted is not distinct from n.game_wanted and m.code is not distinct from n.code
  and m.set_key is not distinct from n.set_key and m.game_id = e.game_id and m.expansion_id = e.expansion_id
group by all;

-- own_places: the sets of each ask
-- grain:  one row per (ask, game_id, expansion_id)
create or replace temp table own_places as
select a.ask, a.number, a.key, s.game_id, s.expansion_id, s.place
from own_asked a join own_sets s on s.game_said is not distinct from a.game_said and s.game_wanted is not distinct from a.game_wanted
  and s.code is not distinct from a.code and s.set_key is not distinct from a.set_key;
