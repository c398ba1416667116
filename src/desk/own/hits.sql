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
