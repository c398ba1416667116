-- own_products: the candidate products, as normalized texts to compare
-- grain:  one row per (game_id, product_id)
-- reads:  products, product_finishes, search.texts
create or replace temp table own_products as
select t.game_id, t.product_id, p.name, search.folded(p.name) as folded, string_split(search.folded(p.name), ' ') as words, t.keys, t.code, t.set_name, t.place, f.finishes
from search.texts t
join products p on p.game_id = t.game_id and p.product_id = t.product_id
left join (
  select game_id, product_id, list({ 'finish': finish, 'folded': search.folded(finish) } order by position) as finishes
  from product_finishes group by game_id, product_id
) f on f.game_id = t.game_id and f.product_id = t.product_id;

-- own_keys: the products' names in all languages
create or replace temp table own_keys as
select game_id, product_id, code, set_name, unnest(keys) as key from own_products;

-- own_found: candidate products of the current way of matching
create or replace temp table own_found (line bigint, way integer, game_id varchar, product_id bigint, finish varchar);

-- own_judged: how well the candidates fit their rows
-- grain:  one row per (line, way, game_id, product_id)
-- columns:
--   way: 1 product id, 2 to 4 an external id, 5 set and number, 6 name
--   is_taken: an id or number is strong evidence, which only a different name in the same language contradicts
create or replace temp macro own_judged() as table
with described as (
  select f.*, w.code as code_said, p.name as product_name, p.finishes,
    w.name_folded is null or w.name_folded = '' or list_contains(p.keys, search.in_order(w.name_folded)) as is_same_name,
    is_same_name or list_has_all(p.words, string_split(w.name_folded, ' ')) or list_has_all(string_split(w.name_folded, ' '), p.words) as is_like_name,
    coalesce(p.code = w.code or p.set_name = w.set_folded, false) as is_in_set,
    coalesce(p.place = p.code || replace(w.number_folded, ' ', ''), false) as has_number,
    coalesce(w.language, 'en') <> 'en' as is_foreign,
    -- Storm Crow is not Crow Storm, nor a +1/+1 Counter a -1/-1 Counter
    (p.folded = w.name_folded)::integer + (lower(p.name) = lower(w.name))::integer as exactness,
    len(list_filter(p.finishes, lambda o: o.folded = w.finish_text or own_finish_kind(o.folded) = w.finish_kind)) > 0 as has_finish
  from (
    select line, way, game_id, product_id, list(distinct finish) filter (finish is not null) as id_finishes
    from own_found group by line, way, game_id, product_id
  ) f
  join own_said w using (line)
  join own_products p on p.game_id = f.game_id and p.product_id = f.product_id
  where f.game_id = coalesce(w.game_wanted, f.game_id)
    and (w.game_said is null or (w.game_said, f.game_id) in (select (game_said, game_id) from own_games))
)
select line, way, game_id, product_id, product_name, finishes, id_finishes, is_like_name or is_foreign or way < 5 and has_number as is_taken,
  is_in_set::integer * 32 + has_number::integer * 16 + has_finish::integer * 8 + is_same_name::integer * 4 + coalesce(exactness, 0) as weight
from described;

create or replace temp table own_candidates as from own_judged() limit 0;

insert into own_found
select w.line, 1, p.game_id, p.product_id, null from own_said w join products p on p.product_id = w.product_said;
insert into own_found
select w.line, 2, x.game_id, x.product_id, x.finish from own_said w join external_ids x on x.system = 'sourceEur' and x.external_id = w.source_eur;
insert into own_found
select w.line, 3, x.game_id, x.product_id, x.finish from own_said w join external_ids x on x.system = 'sourceUsd' and x.external_id = w.source_usd;
insert into own_found
select w.line, 4, x.game_id, x.product_id, x.finish from own_said w join external_ids x on x.system = 'mtgId' and x.external_id = w.mtg_id;
insert into own_candidates from own_judged();

-- rows without a match by id: by set and number, checked against the name
truncate own_found;
insert into own_found
select w.line, 5, p.game_id, p.product_id, null
from (from own_said anti join (from own_candidates where is_taken) using (line)) w
join own_products p on p.place = w.code || replace(w.number_folded, ' ', '')
union
select w.line, 5, p.game_id, p.product_id, null
from (from own_said anti join (from own_candidates where is_taken) using (line)) w
join own_products p on p.set_name = w.set_folded and p.place = p.code || replace(w.number_folded, ' ', '');
insert into own_candidates from own_judged();

-- the remaining rows by name, in their set if the lake has it
truncate own_found;
create or replace temp table own_rest as
select w.line, if(w.name_folded = '', search.wordless(w.name), search.in_order(w.name_folded)) as key, w.code, w.set_folded,
  w.code in (select code from own_products where code <> '') or w.set_folded in (select set_name from own_products where set_name is not null) as names_set
from own_said w anti join (from own_candidates where is_taken) using (line)
where w.name is not null;
insert into own_found
select r.line, 6, k.game_id, k.product_id, null
from own_rest r join own_keys k on k.key = r.key
where not coalesce(r.names_set, false) or k.code = r.code or k.set_name = r.set_folded;
insert into own_candidates from own_judged();

-- own_matched: the products that each line can be, from the first way that found any
-- grain:  one row per line
-- columns:
--   products: the number of products that fit best; one = a unique match
create or replace temp table own_matched as
select line, any_value(way) as way, count(*) as products, any_value(game_id) as game_id, any_value(product_id) as product_id,
  any_value(finishes) as finishes, any_value(id_finishes) as id_finishes
from (
  from own_candidates where is_taken
  qualify way = min(way) over (partition by line) and weight = max(weight) over (partition by line, way)
)
group by line;
