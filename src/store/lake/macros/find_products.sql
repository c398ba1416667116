-- find_products: Which products match a search text?
-- grain:  one row per (game_id, product_id)
-- takes:  said: the search text: parts of names in any language, also without accents and with one wrong letter in a word, an expansion code and number (mh2 138, OGN-202), any id, slug or bar code, and filters: set:mh2, finish:foil, rarity:m, price>20, price<=50, kind:sealed (or card, token, booster_box), currency:usd, game:magic; game: one game's id, default null = all; most: maximum number of rows, default 50; skip: number of rows to skip, default 0; per_name: maximum number of products of one name, its main printing first, with most and skip counting names; default null = list products one by one
-- absent: products that are no longer in the catalogue
-- example: from find_products('booster kind:sealed', most := 5)
-- columns:
--   place: rank, from 1: exact matches of an id, a name or code and number first, then most expensive first (converted at the last loaded exchange rates; currencies without a rate after EUR); last are tokens, cases and sets of sealed products that the text does not name, and products with the words outside name and number.
--   found: total number of matching products
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   other_name: name in another language, if only that has the words; else null
--   expansion_id: its expansion; null = none
--   expansion_code: the expansion's code; null = none
--   expansion_name: the expansion's name; null = none
--   print_number: as printed; null = none
--   variant: of the printing; null = none
--   rarity: null = none
--   kind: card, token, or the kind of sealed product
--   finish: finish of market_value: the one in the search, else the cheapest that the product lists
--   source: source of market_value: sourceEur if it has one, else sourceUsd; with currency:usd, the source in that currency
--   currency: of market_value and value_before
--   market_value: as of the last reading; null = none above 0
--   value_before: market value at our last reading that is at least seven days older; null = no such reading, or no value in it
--   percent: from value_before to market_value
--   seen_before: when value_before was read last
--   how: exact (an id, a name, a code and number), words, like (similar words), or without (it lacks words of the search text, see missing)
--   missing: words of the search text that the product does not have, such as a finish that it does not list; null = none
--   names: with per_name, number of different names among all matching products; else null
--   printings: with per_name, number of matching products of that name in its game; else null
--   name_key: the words of the name in the order of the alphabet, which all printings of a name share
create macro find_products(said, game := null, most := 50, skip := 0, per_name := null) as table
-- filters such as set:mh2 and price<=20; and what is typed besides, which has no name
with question as materialized (
  select max(value) filter (name = 'set') as set_asked, max(value) filter (name = 'finish') as finish_asked, max(value) filter (name = 'rarity') as rarity,
    max(value) filter (name = 'kind') as kind, max(value) filter (name = 'game') as game_asked, upper(max(value) filter (name = 'currency')) as currency,
    max(figure) filter (sign = '>') as above, max(figure) filter (sign in ('>=', ':', '=')) as least,
    min(figure) filter (sign = '<') as below, min(figure) filter (sign in ('<=', ':', '=')) as most_paid,
    max(value) filter (name = '') as folded, nullif(search.wordless(max(said_of) filter (name = '')), '') as id, count(*) > 1 as is_filtered,
    string_split(regexp_replace(coalesce(nullif(folded, ''), id), '(^| )non ?foils?( |$)', '\1standard\2'), ' ') as repeated,
    -- each once, in the order of the text
    coalesce(list_filter(repeated, lambda part, i: list_position(repeated, part) = i)[:8], []) as parts
  from (
    select if(name = '', part[2:], regexp_extract(part, '[:=](.*)', 1)) as said_of, name, sign, search.folded(said_of) as value,
      try_cast(replace(regexp_replace(regexp_extract(part, '(?i)^price\D*(.*)', 1), ',([0-9]{3})', '\1', 'g'), ',', '.') as decimal(18, 4)) as figure
    from (
      select part, lower(regexp_extract(part, '^[a-zA-Z]+')) as name, regexp_extract(part, '[<>]=?|[:=]') as sign
      from (
        select unnest(list_append(
          regexp_extract_all(typed, '(?i)(?:^|\s)((?:set|finish|rarity|kind|game|currency)[:=](?:"[^"]+"|[^\s"]+)|price(?:[<>]=?|[:=])[0-9.,]+)', 1),
          '=' || regexp_replace(typed, '(?i)(^|\s)((set|finish|rarity|kind|game|currency)[:=]("[^"]*"|\S*)|price([<>]=?|[:=])\S*)', ' ', 'g')
        )) as part
        from (select trim(said::varchar)[:300] as typed)
      )
    )
  )
),
-- What is typed begins a word; in scripts without spaces it is anywhere. The names of finishes are wishes, unless there is nothing else.
typed as materialized (
  select * exclude (parts, repeated, finishes, games), len(list_filter(parts, lambda part: not list_contains(finishes, part))) = 0 as is_bare,
    replace(array_to_string(list_filter(string_split(folded, ' '), lambda part: is_bare or not list_contains(finishes, part)), ''), ' ', '') as place,
    list_transform(parts, lambda part: {
      word: part, needle: if(regexp_matches(part, '[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]'), part, ' ' || part),
      is_finish: list_contains(finishes, part), is_light: search.is_light(part) or list_contains(games, part), meant: search.meant(part)
    }) as words
  from question cross join (
    select (select flatten(list(words)) from search.finishes) as finishes, (select flatten(list(string_split(words, ' '))) from search.games) as games, game as in_game
  )
),
-- words of four letters and more; without the limits, DuckDB expects many of them and reads all words of names
long as materialized (
  select word.word as word, word.word[:4] as start, in_game
  from (select unnest(words) as word, in_game, is_bare from typed)
  where length(word.word) >= 4 and word.needle <> word.word and word.meant is null and not word.is_finish and not regexp_matches(word.word, '[0-9]')
  limit 8
),
-- one that begins no word of a name is misspelt: those that one letter makes of it, or two from eight letters on
misspelt as (
  select word, in_game, unnest(range(length(word) - wrong, length(word) + wrong + 1)) as letters, wrong
  from (select *, if(length(word) < 8, 1, 2) as wrong from long)
  anti join (select distinct w.word from search.words v join long w on v.start = w.start and starts_with(v.word, w.word)) using (word)
  limit 40
),
spelt as (
  select map_from_entries(list((word, needles))) as pairs
  from (
    -- the word as it is typed, too: it may be several words of a name
    select w.word, list_append(list(' ' || v.word || ' '), ' ' || w.word) as needles
    -- by the numbers of letters first, or DuckDB counts those that differ of all words
    from search.words v join misspelt w using (letters)
    where damerau_levenshtein(v.word, w.word) <= w.wrong and (w.in_game is null or v.game_id = w.in_game)
    group by w.word
  )
),
liked as (
  select * exclude (words, pairs), list_transform(words, lambda word: struct_insert(word, likes := coalesce(word.meant, pairs[word.word], []))) as words
  from typed cross join spelt
),
-- the words that a text must have, the longest first, and what may stand for the misspelt ones
asked as materialized (
  select * exclude (words, is_bare),
    if(is_bare, words, list_filter(words, lambda word: not word.is_finish)) as needed,
    list_transform(list_reverse_sort(list_transform(
        list_filter(needed, lambda word: len(word.likes) = 0), lambda word: {letters: length(word.needle), needle: word.needle}
      )), lambda word: word.needle) as wanted,
    coalesce(trim(wanted[1]), '') as longest, search.mark(array_to_string(list_filter(wanted, lambda needle: needle[1] = ' '), '')) as mask,
    list_transform(list_filter(needed, lambda word: len(word.likes) > 0), lambda word: word.likes) as likes,
    len(list_filter(words, lambda word: word.meant is null and len(word.likes) > 0)) > 0 as is_like,
    list_transform(words, lambda word: {
      word: word.word, is_light: word.is_light or word.is_finish, any_of: if(len(word.likes) > 0, word.likes,
        -- a plural is the singular, too, where nothing has all words
        if(regexp_matches(word.word, '...[^s]s$'), [word.needle, regexp_replace(word.needle, '(?:([sxz]|[cs]h)e)?s$', '\1')], [word.needle]))
    }) as every_word,
    if(len(list_filter(every_word, lambda word: not word.is_light)) = 0, every_word, list_filter(every_word, lambda word: not word.is_light)) as heavy,
    array_to_string(list_sort(list_transform(heavy, lambda word: word.word)), ' ') as heaviest,
    if(is_bare, null, nullif(array_to_string(list_transform(list_filter(words, lambda word: word.is_finish), lambda word: word.word), ' '), '')) as finish,
    search.in_order(coalesce(nullif(folded, ''), id)) as key,
    array_to_string(list_sort(list_transform(needed, lambda word: word.word)), ' ') as finishless,
    most as at_most, skip as skipped, per_name as of_name
  from liked
),
ids as materialized (
  select distinct unnest([id, lower(id), place]) as id, in_game from typed where regexp_matches(id, '[0-9_-]')
),
by_id as materialized (
  select t.rowid as id
  from search.texts t join (
    select game_id, product_id, in_game from external_ids join ids on ids.id = external_id
    union all
    select game_id, product_id, in_game from products join (select try_cast(id as bigint) as product_id, in_game from ids) using (product_id)
    union all
    select game_id, product_id, in_game from products join ids on ids.id = name_slug
    union all
    select game_id, product_id, in_game from search.codes join ids on ids.id = code
  ) i using (game_id, product_id)
  where i.in_game is null or i.in_game = game_id
),
-- what matches, by few columns; the others are read of these rows alone
likely as materialized (
  select p.rowid as id
  from search.texts p cross join asked n
  -- in this order: most have not even the longest word
  where case when (p.mark & n.mask) <> n.mask then false
      when not (contains(p.names, n.longest) or contains(p.facets, n.longest)) then false
      when p.game_id <> n.in_game or p.game_id <> n.game_asked then false
      when n.set_asked is not null and not coalesce(p.code = n.set_asked or contains(' ' || p.set_name, ' ' || n.set_asked), false) then false
      when n.rarity is not null and not coalesce(starts_with(p.rarity, n.rarity), false) then false
      when p.product_type <> n.kind and not contains(' ' || replace(p.kind, '_', ' '), ' ' || n.kind) then false
      when not contains(p.facets, ' ' || n.finish_asked) then false
      when n.longest = '' and len(n.likes) = 0 then true
      else search.has(p.names || p.facets, n.wanted, n.likes) end
),
-- where nothing has all words: the words that each product lacks, at most half of them, but for light ones
partly as materialized (
  select p.rowid as id, search.lacking(p.names || p.facets, n.heavy) as lacks
  from search.texts p cross join (
    select heavy, in_game from asked where not is_filtered and len(every_word) > 1 and (select count(*) from (from likely union all from by_id)) = 0
  ) n
  where (n.in_game is null or p.game_id = n.in_game) and 2 * len(search.lacking(p.names || p.facets, n.heavy)) <= len(n.heavy)
),
-- the fewest words are dropped; of as many, the rarest
dropped as materialized (
  select lacks
  from (select lacks, count(*) as products from partly group by lacks) cross join (
    select map_from_entries(list((word, lacking))) as rarity from (select word, count(*) as lacking from (select unnest(lacks) as word from partly) group by word)
  )
  order by len(lacks), list_sum(list_transform(lacks, lambda word: rarity[word])) desc nulls first, products desc, lacks
  limit 1
),
ranked as materialized (
  select p.rowid as id, p.game_id, p.product_id, coalesce(list_contains(n.by_ids, p.rowid), false) as is_id, if(is_id, null, p.released) as released, p.keys[1] as key, p.place is not null as has_number,
    not is_id and (p.kind = 'token' or search.is_several(p.kind, n.folded)) as is_aside,
    case when is_id then -1
      when p.place = n.place or list_contains(p.keys, n.key) or list_contains(p.keys, n.finishless) or list_contains(p.keys, n.heaviest) or list_contains(p.keys, n.id) then 0
      when len(search.lacking(p.names, n.heavy)) = len(search.lacking(p.names || p.facets, n.heavy)) or search.initials(trim(p.names[:p.own])) = n.folded then 1
      else 2 end as tier,
    if(is_id, null, search.lacking(p.names || p.facets, n.every_word)) as lacks, if(is_id, 0, len(n.every_word) - len(lacks)) as wishes, p.kind,
    if(p.others is null or search.has(p.names[:p.own], n.wanted, n.likes), null, list_filter(p.others, lambda other: search.has(other.words, n.wanted, n.likes))[1].name) as other_name
  from search.texts p semi join (
    from likely union all select id from partly semi join dropped using (lacks) union all from by_id
  ) l on l.id = p.rowid cross join (select *, (select list(id) from by_id) as by_ids from asked) n
),
-- the price that is shown of each: a finish that is wished for counts first, but it need not have a price; then sourceEur, then the cheapest finish
offered as (
  select game_id, product_id, min({is_other: contains(f.key, ' ' || n.finish) is not true, source: p.source, market_value: p.market_value, finish: p.finish, currency: p.currency}) as v
  from source_prices p join (select game_id, product_id from ranked) using (game_id, product_id) join search.finishes f using (finish) cross join asked n
  where p.market_value > 0 and p.is_listed and (n.currency is null or p.currency = n.currency)
    and (n.finish_asked is null or contains(f.key, ' ' || n.finish_asked))
  group by all
),
valued as materialized (
  select r.*, v.finish, v.source, v.currency, v.market_value, -- sources have prices in these two currencies
    v.market_value / if(v.currency = 'EUR', 1, f.usd) as worth, if(f.of_name is null, product_id::varchar, key) as grouped
  from ranked r left join offered o using (game_id, product_id) cross join (
    select above, least, below, most_paid, of_name, (select arg_max(rate, day)::double from fx_rates where currency = 'USD') as usd from asked
  ) f
  where (f.above is null or v.market_value > f.above) and (f.least is null or v.market_value >= f.least)
    and (f.below is null or v.market_value < f.below) and (f.most_paid is null or v.market_value <= f.most_paid)
),
-- products by name, or each for itself: their order in one value, of which a name has its first
names as materialized (
  select game_id, grouped, count(*) as printings, min({is_far: tier > 0, is_aside: is_aside, wishes: -wishes, tier: tier, worth: coalesce(-worth, 1e300),
    currency: coalesce(currency, '~'), market_value: -coalesce(market_value, -1), released: coalesce(-epoch(released), 1e300), game_id: game_id, product_id: product_id}) as rank
  from valued
  group by all
),
best as materialized (
  select v.*, n.printings, n.rank, row_number() over (partition by game_id, grouped order by tier > 0, wishes desc, tier, not has_number, released, worth desc nulls last, product_id) as nth
  from valued v join (from names order by rank limit (select at_most from asked) offset (select skipped from asked)) n using (game_id, grouped)
  -- the main printing of a name has a number and was printed first
  qualify nth <= (select coalesce(of_name, 1) from asked)
)
select (if(n.of_name is null, n.skipped, 0) + row_number() over (order by b.rank, b.nth))::bigint as place, (select count(*) from valued) as found, b.game_id, b.product_id, p.name,
  b.other_name,
  p.expansion_id, p.expansion_code, p.expansion_name, p.print_number, p.variant, p.rarity, b.kind, b.finish, b.source, b.currency, b.market_value, v.market_value as value_before,
  round(try_cast(100.0 * (b.market_value - value_before) / value_before as decimal(38, 10)), 2)::double as percent, if(value_before is null, null, d.seen_before) as seen_before,
  case when b.tier < 0 then 'exact' when len(b.lacks) > 0 then 'without' when b.tier = 0 then 'exact' when n.is_like then 'like' else 'words' end as how,
  nullif(array_to_string(b.lacks, ' '), '') as missing, if(n.of_name is null, null, (select count(*) from names)) as names, if(n.of_name is null, null, b.printings) as printings, b.key as name_key
from (select b.*, p.rowid as row_id from best b join products p using (game_id, product_id)) b
join products p on p.rowid = b.row_id
cross join asked n
left join search.spans d on d.game_id = b.game_id
left join search.old_prices v
  on v.game_id = b.game_id and v.product_id = b.product_id and v.finish = b.finish and v.source = b.source and v.currency = b.currency
order by place;
