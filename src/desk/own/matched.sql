-- own_compared: each candidate beside what its row says
-- grain:  one row per (ask, game_id, product_id)
-- columns:
--   exactness: 4 the same name, 3 but for case and accents, 2 in another order or language, 1 by a rule; null = another name
--   wanted: the finish that the row says, else that of its id
create or replace temp table own_compared as
with named as (
  select f.ask, f.game_id, f.product_id, bool_or(n.is_whole and k.is_whole) as is_whole
  from own_found f join own_names n using (ask) join own_keys k on k.game_id = f.game_id and k.product_id = f.product_id and k.key = n.key
  group by all
),
other_ids as (
  select distinct f.ask, f.game_id, f.product_id
  from own_found f join own_ids i using (ask) join external_ids x on x.game_id = f.game_id and x.product_id = f.product_id and x.system = i.system
  where f.systems is null
)
select f.ask, f.game_id, f.product_id, f.systems, p.name as product_name, p.number as product_number, p.place as product_place, p.edition as product_edition,
  e.name as set_name, a.number, a.edition, o.is_alone_enough, i.finishes,
  case when a.product_said is null then 'silent' when a.product_said = f.product_id then 'agrees' else 'contradicts' end as product_fact,
  case when f.systems is not null then 'agrees' when x.ask is not null then 'contradicts' else 'silent' end as id_fact,
  coalesce(s.place, case when a.code is null and a.set_key is null then 'silent' when f.ask in (select ask from own_places) then 'other' else 'not here' end) as place_fact,
  case
    when n.ask is not null then 'agrees'
    when a.name is null or coalesce(a.language, 'en') <> 'en' and a.ask not in (select ask from own_names semi join own_keys using (key)) then 'silent'
    when list_has_all(string_split(search.folded(p.name), ' '), string_split(a.name_folded, ' '))
      or list_has_all(string_split(a.name_folded, ' '), string_split(search.folded(p.name), ' ')) then 'like'
    else 'contradicts'
  end as name_fact,
  case when n.ask is null then 0 when not n.is_whole then 1 when lower(p.name) = lower(a.name) then 4 when search.folded(p.name) = a.name_folded then 3 else 2 end as exactness,
  if(a.finish_text is null and len(f.id_finishes) = 1, search.folded(f.id_finishes[1]), a.finish_text) as wanted
from own_found f
join own_asked a using (ask)
join own_products p on p.game_id = f.game_id and p.product_id = f.product_id
join own_scopes o on o.game_said is not distinct from a.game_said and o.game_wanted is not distinct from a.game_wanted and o.game_id = f.game_id
left join own_expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
left join own_places s on s.ask = f.ask and s.game_id = f.game_id and s.expansion_id = p.expansion_id
left join own_finishes i on i.game_id = f.game_id and i.product_id = f.product_id
left join named n on n.ask = f.ask and n.game_id = f.game_id and n.product_id = f.product_id
left join other_ids x on x.ask = f.ask and x.game_id = f.game_id and x.product_id = f.product_id;

-- own_facts: what each fact of a row says of its candidates, in the words of own_rules
-- grain:  one row per (ask, game_id, product_id)
-- columns:
--   finish: the product's finish that the row means; null = none
--   lacks_finish: whether the row says a finish that the product does not have
create or replace temp table own_facts as
with finished as (
  select * exclude (finishes), list_filter(finishes, lambda f: f.folded = wanted)[1].finish as same,
    list_filter(finishes, lambda f: f.folded = 'standard')[1].finish as standard, list_filter(finishes, lambda f: f.folded = 'foil')[1].finish as foil,
    list_filter(finishes, lambda f: contains(f.folded, 'etched'))[1].finish as etched, list_filter(finishes, lambda f: f.folded <> 'standard') as foils,
    finishes[1].finish as first_finish, len(finishes) as finish_count, own_finish_kind(wanted) as kind, wanted in (select array_to_string(words, ' ') from search.finishes) as is_exact
  from own_compared
),
chosen as (
  select * exclude (same, standard, foil, etched, foils, first_finish, finish_count),
    case
      when same is not null then same
      when is_exact and wanted not in ('foil', 'standard') then null
      when kind = 'etched' then coalesce(etched, foil)
      when kind = 'foil' then coalesce(foil, if(len(foils) = 1, foils[1].finish, null))
      when kind = 'standard' or wanted is null then coalesce(standard, if(wanted is null and finish_count = 1, first_finish, null))
    end as finish,
    wanted is not null and finish is null and (kind is distinct from 'foil' or is_exact and wanted <> 'foil' or len(foils) = 0) as lacks_finish,
    case when number is null or place_fact not in ('named', 'extras', 'sister') then 'silent' when product_number is null then 'unknown'
      when number in (product_number, product_place) then 'agrees' else 'contradicts' end as number_fact,
    case when edition is null or nullif(product_edition, '') is null then 'silent' when edition = product_edition then 'agrees' else 'contradicts' end as edition_fact
  from finished
)
select *, count(*) filter (place_fact in ('named', 'extras', 'sister') and name_fact = 'agrees' and edition_fact <> 'contradicts') over (partition by ask) = 1 as is_only
from chosen;

-- own_candidates: the rule that each candidate fits; those that fit none are left out
-- grain:  one row per (ask, game_id, product_id)
-- columns:
--   weight: of candidates of one rank those with the most count: the row's set, number and edition agree, then the name, then the finish
create or replace temp table own_candidates as
with kinds as (
  select distinct product_fact, id_fact, place_fact, number_fact, name_fact, edition_fact, is_only, is_alone_enough from own_facts
),
ranked as (
  select k.*, min_by({ 'rank': r.rank, 'outcome': r.outcome, 'by': r."by" }, r.rank) as rule
  from kinds k join own_rules r on (r.product_ids is null or list_contains(r.product_ids, product_fact)) and (r.external_ids is null or list_contains(r.external_ids, id_fact))
    and (r.places is null or list_contains(r.places, place_fact)) and (r.numbers is null or list_contains(r.numbers, number_fact))
    and list_contains(r.names, name_fact) and (r.editions is null or list_contains(r.editions, edition_fact))
    and (r.is_only is null or r.is_only = k.is_only) and (r.is_alone_enough is null or r.is_alone_enough = k.is_alone_enough)
  group by all
)
select f.*, r.rule.rank as rank, r.rule.outcome as outcome, coalesce(r.rule."by", f.systems[1]) as "by",
  (place_fact = 'named' and r.rule.rank < 40)::integer * 64 + (number_fact = 'agrees')::integer * 32 + (edition_fact = 'agrees')::integer * 16 + exactness * 2 + (wanted is not null and not lacks_finish)::integer as weight
from own_facts f join ranked r using (product_fact, id_fact, place_fact, number_fact, name_fact, edition_fact, is_only, is_alone_enough);

-- own_matched: the products that each ask can be
-- grain:  one row per ask
-- columns:
--   rank, outcome, by: of the strongest rule
--   products: how many are left; candidates: which, those to propose included, best first
create or replace temp table own_matched as
with strongest as (
  select *, min(rank) over asked as best, min(rank) filter (outcome = 'match') over asked as best_match
  from own_candidates window asked as (partition by ask)
),
kept as (
  select *, rank = best and weight = max(weight) over (partition by ask, rank) as is_best,
    rank = best_match and weight = max(weight) over (partition by ask, rank) as is_best_match
  from strongest
),
-- a match that lacks the row's finish leaves the prints beside it that have it
finished as (
  select *, is_best or is_best_match
      or rank < 70 and wanted is not null and not lacks_finish and best >= 30 and bool_and(lacks_finish) filter (is_best) over (partition by ask) as is_left
  from kept
)
select ask, min(best) as rank, any_value(outcome) filter (is_best) as outcome, any_value("by") filter (is_best) as "by", count(*) filter (is_left and outcome <> 'open') as products,
  list({ 'game_id': game_id, 'product_id': product_id } order by rank, weight desc, product_id) filter (is_left or best >= 70) as candidates,
  any_value({ 'game_id': game_id, 'product_id': product_id, 'finish': finish, 'name': product_name, 'number': product_number, 'set_name': set_name,
    'name_fact': name_fact, 'number_fact': number_fact, 'place_fact': place_fact, 'is_exact': exactness > 0 }) filter (is_best) as found
from finished
group by ask;
