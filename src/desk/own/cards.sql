-- own_verdicts: what became of each line
-- grain:  one row per line of own_said
-- reads:  own_said, own_lines, own_asked, own_matched, own_sets, own_games, products; variable own_tool_game
-- columns:
--   reason: the verdict without names and numbers, so that equal ones are counted together
create or replace temp table own_verdicts as
with judged as (
  select s.line, a.answer_key, s.name, s.number, coalesce(s.set_code, a.code) as set_code, s.set_name, s.file_quantity, s.game_said,
    m.outcome, m."by", m.products, m.candidates, m.game_id, m.product_id, m.finish, m.name_fact, m.number_fact, m.place_fact,
    s.game_said is not null and s.game_said not in (select game_said from own_games) as is_unknown_game,
    coalesce(s.product_said::varchar, s.source_eur, s.source_usd, s.mtg_id) is not null as has_id,
    a.set_id is not null and a.set_id not in (select set_id from own_sets) as is_unknown_set, a.set_id is not null as has_set,
    if(m.outcome = 'match' and m.place_fact in ('named', 'silent') and m.number_fact <> 'contradicts' and m.name_fact <> 'like', null, m.product_id) as named_id
  from own_said s join own_lines l using (line) join own_asked a using (answer_key) left join own_matched m using (ask)
),
-- the names of products, where a verdict has one
named as (
  select j.* exclude (named_id), coalesce(if(length(set_code) <= 6, upper(set_code), set_code), set_name) as set_said, p.name as product_name, p.print_number,
    coalesce(p.expansion_name, 'none') as product_set
  from judged j left join products p on p.game_id = j.game_id and p.product_id = j.named_id
),
compared as (
  select *, if(outcome <> 'match' or product_name is null or "by" = 'your answer', null, nullif(concat_ws(', and ',
      case when place_fact in ('other', 'extras', 'sister') then 'its set is ' || product_set || ' here' when place_fact = 'not here' then 'this lake has no set ' || set_said end,
      if(number_fact = 'contradicts', 'its number is ' || print_number || ' here', null),
      if(name_fact = 'like', 'it is called ' || product_name || ' here', null)), '')) as difference
  from named
),
reasoned as (
  select *,
    case
      when file_quantity is null then 'unknown: its quantity is not a whole number'
      when is_unknown_game and "by" is distinct from 'your answer' then 'unknown: of a game that this lake does not have'
      when outcome = 'doubt' then 'ambiguous: its id is of a card with another name'
      when outcome = 'match' and products > 1 then 'ambiguous: several products'
      when outcome = 'match' then 'matched by ' || "by" || if(difference is null, '', ', with a difference')
      when is_unknown_set then 'unknown: of a set that this lake does not have'
      when "by" = 'another card' then 'unknown: its id or number is another card here'
      when "by" = 'another number' then 'unknown: its set has no card of its number'
      when "by" = 'another edition' then 'unknown: of another edition'
      when "by" = 'no such game' then 'unknown: without a set, and of a game that this lake does not have'
      when name is not null and has_set then 'unknown: its set has no card of its name'
      when name is not null then 'unknown: nothing here has its name'
      when has_id then 'unknown: nothing here has its id'
      else 'unknown: it has neither an id nor a name'
    end as reason
  from compared
)
select line, answer_key, candidates, products, reason, starts_with(reason, 'matched') as is_matched, game_id, product_id, finish,
  case
    when reason = 'unknown: of a game that this lake does not have' then 'unknown: this lake has no game called ' || game_said
    when outcome = 'doubt' and starts_with(reason, 'ambiguous') then 'ambiguous: its ' || "by" || ' is ' || product_name || ' here'
    when reason = 'ambiguous: several products' then 'ambiguous: ' || products || ' products'
    when starts_with(reason, 'matched') then 'matched by ' || "by" || coalesce(', but ' || difference, '')
    when reason = 'unknown: of a set that this lake does not have' then 'unknown: this lake has no set ' || set_said
    when reason = 'unknown: its id or number is another card here' then 'unknown: ' || coalesce(upper(set_code), set_name) || ' ' || number || ' is ' || product_name || ' here'
    when reason = 'unknown: its set has no card of its number' then 'unknown: no ' || name || ' ' || number || ' in ' || set_said
    when reason = 'unknown: of another edition' then 'unknown: ' || product_name || ' is here in another edition'
    when reason = 'unknown: without a set, and of a game that this lake does not have'
      then 'unknown: this lake has no game called ' || getvariable('own_tool_game')::varchar || ', and the row has no set'
    when reason = 'unknown: its set has no card of its name' then 'unknown: no ' || name || ' in ' || coalesce(set_name, set_code)
    when reason = 'unknown: nothing here has its name' then 'unknown: nothing here is called ' || name
    else reason
  end as verdict
from reasoned;

-- own_cards: an import's cards with their verdicts, as they are stored
-- grain:  one row per row of own_said
-- reads:  own_said, own_verdicts; variables own_collection, own_tool, own_imported_at
-- columns:
--   candidates: how many products it can be; candidate_products: which, best first, also those that a row of no product may mean
create or replace temp table own_cards as
select getvariable('own_collection') as collection, row, getvariable('own_tool') as tool, getvariable('own_imported_at')::timestamptz as imported_at, list, list_kind, file_quantity, cards, name, set_code, set_name, number,
  condition_said, condition, language_said, language, grade, is_altered, is_signed, is_misprint, is_proxy, paid, if(paid is null, null, paid_currency) as paid_currency,
  added, if(is_matched, v.game_id, null) as game_id, if(is_matched, v.product_id, null) as product_id, if(is_matched, v.finish, null) as finish,
  coalesce(finish_text, '') as finish_said, verdict, nullif(products, 0) as candidates, said, reason, answer_key, if(is_matched, null, candidates[:20]) as candidate_products
from own_said s join own_verdicts v using (line);
