-- own_products: the products of the lake, as far as every row is compared with them
-- grain:  one row per (game_id, product_id)
-- columns:
--   product, expansion: numbers in place of two ids each, which joins compare faster
--   number: without the set's code
--   place: the set's code and the number
--   folded: the name as a search compares it
create or replace temp table own_products as
select row_number() over ()::integer as product, game_id, product_id, expansion, name, folded, keys, code || number as place, number, edition
from (
  select t.game_id, t.product_id, e.expansion, p.name, t.names[2:t.own - 1] as folded, t.keys, t.code, regexp_extract(lower(p.variant), '^(first|unlimited|alpha)\b', 1) as edition,
    if(t.place is null, null, coalesce(nullif(t.place[length(t.code) + 1:], ''), '0')) || if(regexp_matches(p.print_number, '[*★]'), 'star', '') as number
  from search.texts t join products p on p.game_id = t.game_id and p.product_id = t.product_id
  left join own_expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
);

-- own_names: the names by which a row's card is searched
-- grain:  one row per (lookup, key)
-- columns:
--   is_whole: whether it is the whole name
--   lowered, folded: of a whole name, hashes of its letters but for case, and but for accents, too
create or replace temp table own_names as
select lookup, key, true as is_whole, hash(lower(name)) as lowered, hash(name_folded) as folded from own_lookups where key is not null
union by name
-- a treatment in brackets: Lantern Tutor (Showcase)
select lookup, search.in_order(search.folded(regexp_replace(name, '(\s*[(\[][^)\]]*[)\]])+\s*$', ''))) as key, false as is_whole from own_lookups where regexp_matches(name, '.[)\]]\s*$')
union by name
-- both faces, where the lake has the front alone
select lookup, search.in_order(search.folded(split_part(name, '//', 1))) as key, false as is_whole from own_lookups where contains(name, '//');

-- own_keys: the names of products that rows name
-- grain:  one row per (product, key)
-- columns:
--   lowered, folded: as of own_names
create or replace temp table own_keys as
select product, expansion, key, bool_or(is_whole) as is_whole, max(lowered) as lowered, max(folded) as folded
from (
  select product, expansion, unnest(keys) as key, true as is_whole, hash(lower(name)) as lowered, hash(folded) as folded from own_products
  union all by name
  -- a token without its colour and strength: Zombie Token for Zombie Token (B 2/2)
  select product, expansion, search.in_order(search.folded(regexp_replace(name, ' \([^)]*\)$', ''))) as key, false as is_whole
  from own_products where contains(name, ' Token (') and not contains(name, ' // ')
  union all by name
  -- the front face alone: Reed Agent for Reed Agent // Mind Stinger
  select product, expansion, search.in_order(search.folded(split_part(name, ' // ', 1))) as key, false as is_whole from own_products where contains(name, ' // ')
)
semi join own_names using (key)
where key <> ''
group by all;

-- own_ids: the external ids of each lookup
-- grain:  one row per (lookup, system)
create or replace temp table own_ids as
select lookup, system, external_id
from (unpivot (select lookup, source_eur as "sourceEur", source_usd as "sourceUsd", mtg_id as "mtgId" from own_lookups) on "sourceEur", "sourceUsd", "mtgId" into name system value external_id);

-- own_hits: candidate products of each lookup
-- grain:  one row per (lookup, product)
-- columns:
--   system: of an external id that agrees; id_finishes: the finishes that it belongs to
--   exactness: 4 the same name, 3 but for case and accents, 2 in another order or language, 1 by a rule; null = another name, or none
create or replace temp table own_hits as
with by_id as (
  select i.lookup, p.product, i.system, x.finish from own_ids i join external_ids x on x.system = i.system and x.external_id = i.external_id
  join own_products p on p.game_id = x.game_id and p.product_id = x.product_id
),
every as (
  select lookup, product, min(system) as system, list(distinct finish) filter (finish is not null) as id_finishes from by_id group by lookup, product
  union all by name
  select a.lookup, p.product from own_lookups a join own_products p on p.product_id = a.row_product_id
  union all by name
  select a.lookup, p.product from own_lookups a join own_answers w using (answer_key) join own_products p on p.game_id = w.game_id and p.product_id = w.product_id
  union all by name
  select s.lookup, p.product from own_places s join own_products p on p.expansion = s.expansion and p.number = s.number where s.place = 'named'
  union all by name
  select s.lookup, p.product from own_places s join own_products p on p.expansion = s.expansion and p.place = s.number where s.place = 'named'
  union all by name
  select s.lookup, k.product, own_exactness(n, k) as exactness
  from own_places s join own_names n using (lookup) join own_keys k on k.expansion = s.expansion and k.key = n.key
  union all by name
  select n.lookup, k.product, own_exactness(n, k) as exactness from own_names n join own_keys k using (key) anti join own_places s on s.lookup = n.lookup
)
select lookup, product, min(system) as system, any_value(id_finishes) as id_finishes, max(exactness) as exactness from every group by lookup, product;

-- an id or an answer may be of a product of another set
update own_hits h set exactness = f.exactness
from (
  select lookup, product, max(own_exactness(n, k)) as exactness
  from own_hits f join own_names n using (lookup) join own_keys k using (product, key) where f.exactness is null group by lookup, product
) f
where h.lookup = f.lookup and h.product = f.product;

-- where the named set and those beside it have nothing: products of the name in any set, to propose
insert into own_hits by name
select n.lookup, k.product, max(own_exactness(n, k)) as exactness
from (from own_names anti join own_hits using (lookup)) n join own_keys k using (key)
group by all;

-- own_prints: the candidates with their finishes
-- grain:  one row per product
-- columns:
--   systems: of its external ids, by own_system_bit
--   foils: how many are not standard; only_foil: the one, if it is one; only_finish: the finish, if it has one alone
create or replace temp table own_prints as
with candidates as (
  select * exclude (keys) from own_products semi join own_hits using (product)
),
named as (
  select c.product, p.finish, f.folded
  from candidates c join product_finishes p on p.game_id = c.game_id and p.product_id = c.product_id
  join (select finish, array_to_string(words, ' ') as folded from search.finishes) f using (finish)
),
finishes as (
  select product, any_value(finish) filter (folded = 'standard') as standard, any_value(finish) filter (folded = 'foil') as foil,
    any_value(finish) filter (contains(folded, 'etched')) as etched, count(*) filter (folded <> 'standard') as foils,
    if(foils = 1, any_value(finish) filter (folded <> 'standard'), null) as only_foil, if(count(*) = 1, any_value(finish), null) as only_finish,
    list({ 'folded': folded, 'finish': finish }) filter (folded not in ('standard', 'foil')) as others
  from named group by product
),
systems as (
  select c.product, bit_or(own_system_bit(x.system)) as systems
  from candidates c join external_ids x on x.game_id = c.game_id and x.product_id = c.product_id group by c.product
)
from candidates left join finishes using (product) left join systems using (product);

drop table own_products;

-- own_fact: what a fact says; a word of one byte, as there are many
create or replace temp type own_fact as enum ('answered', 'agrees', 'like', 'contradicts', 'silent', 'unknown', 'named', 'extras', 'sister', 'other', 'not here');

-- own_facts: what each fact of a row says of its candidates, in the words of own_rules
-- grain:  one row per (lookup, product)
-- columns:
--   exactness: as of own_hits; 0 = another name
--   finish: the product's finish that the row means; null = none
--   lacks_finish: whether the row says a finish that the product does not have
create or replace temp table own_facts as
with unnamed as (
  -- a name in another language that no product has says nothing
  select f.lookup, f.product, case
      when lower(p.name) = lower(a.name) then 'agrees'
      when a.name is null or a.language <> 'en' and f.lookup not in (select lookup from own_names semi join own_keys using (key)) then 'silent'
      when list_has_all(string_split(p.folded, ' '), string_split(a.name_folded, ' ')) or list_has_all(string_split(a.name_folded, ' '), string_split(p.folded, ' ')) then 'like'
      else 'contradicts'
    end as name_fact
  from (from own_hits where exactness is null) f join own_lookups a using (lookup) join own_prints p using (product)
),
compared as (
  select f.lookup, f.product, p.game_id, p.product_id, f.system, a.number, a.edition, p.number as product_number, p.place as product_place,
    p.edition as product_edition, coalesce(o.is_alone_enough, true) as is_alone_enough, p.standard, p.foil, p.etched, p.foils, p.only_foil, p.only_finish, p.others,
    case when w.product_id is not null then 'answered' when a.row_product_id is null then 'silent' when a.row_product_id = p.product_id then 'agrees' else 'contradicts' end as product_fact,
    case when f.system is not null then 'agrees' when a.systems & p.systems <> 0 then 'contradicts' else 'silent' end as id_fact,
    case when s.place is not null then s.place when a.set_id is null then 'silent' when a.set_id in (select set_id from own_sets) then 'other' else 'not here' end as place_fact,
    coalesce(f.exactness, if(u.name_fact = 'agrees', 4, 0)) as exactness, coalesce(u.name_fact, 'agrees') as name_fact,
    -- if nothing names the finish, it is the one that the id belongs to
    if(a.finish_wanted is null and len(f.id_finishes) = 1, search.folded(f.id_finishes[1]), a.finish_wanted) as wanted
  from own_hits f
  join own_lookups a using (lookup)
  join own_prints p using (product)
  left join own_answers w on w.answer_key = a.answer_key and w.game_id = p.game_id and w.product_id = p.product_id
  left join own_scopes o on o.scope = a.scope and o.game_id = p.game_id
  left join own_sets s on s.set_id = a.set_id and s.expansion = p.expansion
  left join unnamed u on u.lookup = f.lookup and u.product = f.product
  where o.game_id is not null or w.product_id is not null
),
kinds as materialized (
  select wanted, own_finish_kind(wanted) as kind, wanted in (select array_to_string(words, ' ') from search.finishes) and wanted not in ('foil', 'standard') as is_exact
  from (select finish_wanted as wanted from own_lookups union select array_to_string(words, ' ') from search.finishes)
),
finished as (
  select c.*, k.kind,
    case
      when c.wanted = 'standard' then c.standard
      when c.wanted = 'foil' and c.foil is not null then c.foil
      when k.is_exact then list_filter(c.others, lambda one: one.folded = c.wanted)[1].finish
      when k.kind = 'etched' then coalesce(c.etched, c.foil)
      when k.kind = 'foil' then coalesce(c.foil, c.only_foil)
      when c.wanted is null then coalesce(c.standard, c.only_finish)
      when k.kind = 'standard' then c.standard
    end as finish,
    c.wanted is not null and finish is null and (k.is_exact or k.kind is distinct from 'foil' or coalesce(c.foils, 0) = 0) as lacks_finish
  from compared c left join kinds k on k.wanted is not distinct from c.wanted
)
select lookup, product, game_id, product_id, system, exactness::utinyint as exactness, is_alone_enough, finish, lacks_finish, wanted is not null as has_wanted,
  product_fact::own_fact as product_fact, id_fact::own_fact as id_fact, place_fact::own_fact as place_fact, name_fact::own_fact as name_fact,
  (case when number is null or place_fact not in ('named', 'extras', 'sister') then 'silent' when product_number is null then 'unknown'
    when number in (product_number, product_place) then 'agrees' else 'contradicts' end)::own_fact as number_fact,
  (case when edition is null or nullif(product_edition, '') is null then 'silent' when edition = product_edition then 'agrees' else 'contradicts' end)::own_fact as edition_fact
from finished;

drop table own_hits;
drop table own_keys;
drop table own_prints;
drop table own_names;
drop table own_ids;
drop table own_places;

-- own_candidates: the rule that each candidate fits; those that fit none are left out
-- grain:  one row per (lookup, game_id, product_id)
-- columns:
--   place: the least counts: by rank, then by whether the row's set, number and edition agree, then its name, then its finish
create or replace temp table own_candidates as
with counted as (
  select lookup, count(*) = 1 as is_only from own_facts
  where place_fact in ('named', 'extras', 'sister') and name_fact = 'agrees' and edition_fact <> 'contradicts' group by lookup
),
facts as (
  select f.*, coalesce(c.is_only, false) as is_only from own_facts f left join counted c using (lookup)
),
kinds as (
  select distinct product_fact, id_fact, place_fact, number_fact, name_fact, edition_fact, is_only, is_alone_enough from facts
),
ranked as (
  select k.*, min_by({ 'rank': r.rank, 'outcome': r.outcome, 'by': r."by" }, r.rank) as rule
  from kinds k join own_rules r on (r.product_ids is null or list_contains(r.product_ids, product_fact)) and (r.external_ids is null or list_contains(r.external_ids, id_fact))
    and (r.places is null or list_contains(r.places, place_fact)) and (r.numbers is null or list_contains(r.numbers, number_fact))
    and (r.names is null or list_contains(r.names, name_fact)) and (r.editions is null or list_contains(r.editions, edition_fact))
    and (r.is_only is null or r.is_only = k.is_only) and (r.is_alone_enough is null or r.is_alone_enough = k.is_alone_enough)
  group by all
)
select lookup, product, game_id, product_id, finish, lacks_finish, has_wanted, name_fact, number_fact, place_fact, edition_fact, r.rule.rank as rank, r.rule.outcome as outcome,
  coalesce(r.rule."by", f.system) as "by", r.rule.rank * 1000 - ((place_fact = 'named' and r.rule.rank < 40)::integer * 64 + (number_fact = 'agrees')::integer * 32
    + (edition_fact = 'agrees')::integer * 16 + exactness * 2 + (has_wanted and not lacks_finish)::integer) as place
from facts f join ranked r using (product_fact, id_fact, place_fact, number_fact, name_fact, edition_fact, is_only, is_alone_enough);

drop table own_facts;

-- own_matches: the strongest candidate of each lookup
-- grain:  one row per lookup
-- columns:
--   outcome, by: of its rule
--   products: how many are left
--   candidates: up to 20: those that are left, best first, then those that rules only propose: all, or where some are left those of the set; of another name last; null = one product is left
--     finish: the product's finish that the row means; null = it has none such; differs: what the row says otherwise; empty = nothing
create or replace temp table own_matches as
with best as (
  select lookup, min(place) as best, min(place) filter (outcome = 'match') as best_match, min(place) filter (not lacks_finish) is distinct from min(place) as is_lacking
  from own_candidates group by lookup
),
-- a match that lacks the row's finish leaves the prints beside it that have it
judged as not materialized (
  select c.*, c.place = b.best as is_best, outcome = 'open' and (b.best >= 70000 or place_fact in ('named', 'extras', 'sister')) as is_open,
    c.place = b.best or c.place is not distinct from b.best_match or b.is_lacking and b.best between 29000 and 69000 and c.rank < 70 and c.has_wanted and not c.lacks_finish as is_left
  from own_candidates c join best b using (lookup)
),
kept as materialized (
  from judged where is_left
),
counted as (
  select lookup, count(*) filter (outcome <> 'open') as products, min(product) filter (is_best) as product from kept group by lookup
),
found as (
  select c.products, k.* from counted c join kept k using (lookup, product)
),
lists as (
  select lookup, min_by({ 'game_id': game_id, 'product_id': product_id, 'finish': finish, 'differs': concat_ws(', ',
      if(place_fact in ('named', 'silent'), null, 'another set'), if(number_fact = 'contradicts', 'another number', null),
      if(name_fact in ('like', 'contradicts'), 'another name', null), if(edition_fact = 'contradicts', 'another edition', null),
      if(lacks_finish, 'not in this finish', null)) }, (outcome = 'open' and name_fact = 'contradicts', place, product_id), 20) as candidates
  from judged semi join (from found where products <> 1 or outcome = 'doubt') using (lookup) where is_left or is_open group by lookup
)
select f.lookup, f.products, f.outcome, f."by", f.game_id, f.product_id, f.finish, f.name_fact, f.number_fact, f.place_fact, l.candidates
from found f left join lists l using (lookup);

drop table own_candidates;
