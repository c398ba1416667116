-- texts: what a search compares with products: their names in all languages, numbers, and what else people type of them
-- grain:  one row per (game_id, product_id)
-- reads:  expansions, search.finishes, search.games; searched_products, searched_translations and searched_product_finishes, views of the products that it is to have anew
-- columns:
--   keys: its names and the names of its faces, each with its words in the order of the alphabet; the first is its own name's
--   names: the words of its names and its number, each between spaces; every search reads them all, so they are not compressed
--   facets: the words of its expansion, kind, rarity, variant, finishes, game and the initials of its name and expansion, each between spaces; many products share them
--   own: how many letters of `names` are its own name
--   others: its names in other languages, the shortest first; null = none
--   place: the code of its expansion and its number in one word, such as mh2138; null = it has no number
--   kind: card, token or the kind of sealed product
--   mark: the bits of all words of `names` and `facets` (search.mark): a search reads the texts of few other products
insert into search.texts by name
-- Materialised, it would take more memory and time than reading it again.
with here as not materialized (
  from searched_products
),
-- Folds each text once: there are only a few hundred expansions, and a card has many printings.
names as materialized (
  select name, search.folded(name) as folded, -- the blank of ________ Goblin is part of its name
    if(folded = '' or contains(name, '__'), search.wordless(name), search.in_order(folded)) as key,
    -- Stomp is a name of Bonecrusher Giant // Stomp.
    if(regexp_matches(name, ' //? '), list_transform(regexp_split_to_array(name, ' //? '), lambda face: search.in_order(search.folded(face))), []) as faces,
    search.initials(folded) as initials,
    -- L'Épée matches both lepee and epee.
    if(regexp_matches(name, '[''’‘ʼꞌ]'), search.folded(regexp_replace(name, '[''’‘ʼꞌ]', ' ', 'g')), null) as apart,
    -- Black Lotus matches blacklotus.
    if(regexp_full_match(folded, '\S+( \S+){1,3}'), replace(folded, ' ', ''), null) as joined
  from (
    select name from here
    union
    select name from searched_translations where name is not null
  )
),
others as (
  select t.game_id, t.product_id, list(n.key) as keys, string_agg(n.folded, ' ') as words,
    list_sort(list({letters: length(n.name), name: n.name, words: ' ' || n.folded || ' '})) as others
  from searched_translations t join names n using (name)
  group by all
),
sets as materialized (
  select expansion_id, expansion_code, expansion_name, game_id, coalesce(search.folded(expansion_code), '') as code, search.folded(expansion_name) as set_name,
    search.initials(set_name) as initials
  from (select distinct game_id, expansion_id, expansion_code, expansion_name from here)
),
numbers as materialized (
  select print_number, search.folded(print_number) as number, regexp_extract(number, '^\S+') as first_word
  from (select distinct print_number from here where print_number is not null)
),
kinds as materialized (
  select product_type, product_category, rarity, variant,
    concat_ws(' ', product_type, search.folded(product_category), search.folded(rarity), search.folded(variant)) as words
  from (select distinct product_type, product_category, rarity, variant from here)
),
finishes as (
  select game_id, product_id, string_agg(trim(key), ' ') as words
  from searched_product_finishes join search.finishes using (finish)
  group by all
),
facts as (
  select p.game_id, p.product_id, p.product_type, p.product_category, p.rarity, s.code, s.set_name, n.folded, n.key, n.faces, concat_ws(' ', n.initials, s.initials) as initials, concat_ws(' ', n.apart, n.joined) as apart, m.number, p.print_number,
    -- Flesh and Blood includes the code in the number.
    if(s.code <> '' and starts_with(m.number, s.code) and m.number <> s.code, ltrim(m.number[length(s.code) + 1:], ' 0'), m.first_word) as own_number,
    k.words as kind_words, g.words as game_words, coalesce(p.release_date, e.release_date) as released,
    p.product_type = 'card' and (
      contains(' ' || n.folded || ' ', ' token ') or contains(' ' || n.folded || ' ', ' emblem ') or starts_with(n.folded, 'art series ')
      or contains(k.words, 'token') or coalesce(lower(p.attributes ->> 'cardType') = 'token', false)
    ) as is_token
  from here p
  join names n on n.name = p.name
  join sets s on s.game_id = p.game_id and s.expansion_id is not distinct from p.expansion_id and s.expansion_code is not distinct from p.expansion_code
    and s.expansion_name is not distinct from p.expansion_name
  join kinds k on k.product_type = p.product_type and k.product_category is not distinct from p.product_category
    and k.rarity is not distinct from p.rarity and k.variant is not distinct from p.variant
  join search.games g on g.game_id = p.game_id
  left join numbers m on m.print_number = p.print_number
  left join expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
)
select f.game_id, f.product_id, f.product_type, f.code, f.set_name, lower(f.rarity) as rarity, f.released,
  case when f.product_type = 'sealed' then coalesce(f.product_category, 'sealed') when f.is_token then 'token' else 'card' end as kind,
  list_concat([f.key], f.faces, coalesce(o.keys, [])) as keys,
  length(coalesce(nullif(f.folded, ''), f.key)) + 2 as own,
  concat_ws(' ', '', coalesce(nullif(f.folded, ''), f.key), nullif(f.apart, ''), o.words, nullif(f.code, ''), f.number, f.own_number, nullif(f.code || f.own_number, f.number),
    f.code || lower(f.print_number), '') as names,
  concat_ws(' ', '', f.set_name, if(f.is_token, 'token', null), f.kind_words, s.words, f.game_words, nullif(f.initials, ''), '') as facets, o.others,
  nullif(f.code, '') || replace(f.own_number, ' ', '') as place, search.mark(names || facets) as mark
from facts f
left join others o on o.game_id = f.game_id and o.product_id = f.product_id
left join finishes s on s.game_id = f.game_id and s.product_id = f.product_id
-- The printings of a name lie side by side.
order by f.game_id, f.key, f.product_id;
