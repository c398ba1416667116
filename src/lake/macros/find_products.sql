-- find_products: Which products does a person mean by what they type?
-- grain:  one row per (game_id, product_id)
-- takes:  said: parts of names in any language and script, with or without accents, signs and one wrong letter in a word; the code of an expansion and a number (mh2 138, OGN-202); an id of any system, a slug, a bar code; and filters: set:mh2, finish:foil, rarity:m, price>20, price<=50, kind:sealed (or card, token, booster_box), currency:usd, game:magic; game: one game's id, null = all; most: how many rows, 50; skip: how many rows before them are left out, 0
-- absent: products that are no longer in the catalogue
-- example: from find_products('booster kind:sealed', most := 5)
-- columns:
--   place: 1 = the best: what has exactly this id, name, or code and number; then the rest, dearest first (prices of several currencies by the last exchange rates loaded; a currency without one after EUR), those last that are tokens or have the words elsewhere than in name and number
--   found: how many products there are in all
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   other_name: its name in another language, if that has the words and its own name does not; else null
--   expansion_id: its expansion; null = none
--   expansion_code: the expansion's code; null = none
--   expansion_name: the expansion's name; null = none
--   print_number: as printed; null = none
--   variant: of the printing; null = none
--   rarity: null = none
--   kind: card, token, or the kind of sealed product
--   finish: that market_value is of: the one that the search names, else the cheapest that the product lists
--   source: that market_value is of: sourceEur where it has one, else sourceUsd; with currency:usd, the one of that currency
--   currency: of market_value and value_before
--   market_value: as of the last reading; null = none above 0
--   value_before: by our own last reading at least seven days older; null = no such reading, or no value in it
--   percent: from value_before to market_value
--   seen_before: when value_before was read last
--   how: exact (an id, a name, a code and number), words, or like (words that are nearly those of the search)
create macro find_products(said, game := null, most := 50, skip := 0) as table
with typed as materialized (
  select trim(said::varchar)[:300] as typed
),
-- set:mh2, price<=20
filters as materialized (
  select max(value) filter (name = 'set') as set_asked, max(value) filter (name = 'finish') as finish, max(value) filter (name = 'rarity') as rarity,
    max(value) filter (name = 'kind') as kind, max(value) filter (name = 'game') as game_asked, upper(max(value) filter (name = 'currency')) as currency,
    max(figure) filter (sign = '>') as above, max(figure) filter (sign in ('>=', ':', '=')) as least,
    min(figure) filter (sign = '<') as below, min(figure) filter (sign in ('<=', ':', '=')) as most_paid
  from (
    select lower(regexp_extract(filter, '^[a-zA-Z]+')) as name, regexp_extract(filter, '[<>]=?|[:=]') as sign, search.folded(regexp_extract(filter, '[:=](.*)', 1)) as value,
      try_cast(replace(regexp_replace(regexp_extract(filter, '(?i)^price\D*(.*)', 1), ',([0-9]{3})', '\1', 'g'), ',', '.') as decimal(18, 4)) as figure
    from (
      select unnest(regexp_extract_all(typed, '(?i)(?:^|\s)((?:set|finish|rarity|kind|game|currency)[:=](?:"[^"]+"|[^\s"]+)|price(?:[<>]=?|[:=])[0-9.,]+)', 1)) as filter from typed
    )
  )
),
question as materialized (
  select *, nullif(search.wordless(free), '') as id, replace(folded, ' ', '') as place
  from (
    select *, search.folded(free) as folded
    from (
      select regexp_replace(typed, '(?i)(^|\s)((set|finish|rarity|kind|game|currency)[:=]("[^"]*"|\S*)|price([<>]=?|[:=])\S*)', ' ', 'g') as free from typed
    )
  )
),
-- what is typed begins a word; in scripts without spaces it is anywhere
words as materialized (
  select place, word, if(regexp_matches(word, '[\p{Han}\p{Hiragana}\p{Katakana}\p{Hangul}\p{Thai}]'), word, ' ' || word) as needle,
    word in (select unnest(words) from search.finishes) as is_finish
  from (
    select unnest(words) as word, generate_subscripts(words, 1) as place
    from (select list_distinct(string_split(coalesce(nullif(folded, ''), id), ' '))[:8] as words from question)
  )
),
-- a word from four letters on that begins no word of a name is misspelt: those that one letter makes of it, or two from eight letters on
spelt as materialized (
  select w.place, ' ' || v.word || ' ' as needle
  from (
    from words w where length(word) >= 4 and needle <> word and not is_finish and not regexp_matches(word, '[0-9]')
      and not exists (from search.words v where starts_with(v.word, w.word))
  ) w
  join search.words v on length(v.word) between length(w.word) - 2 and length(w.word) + 2 and damerau_levenshtein(v.word, w.word) <= if(length(w.word) < 8, 1, 2)
  where game is null or v.game_id = game
),
-- each word as a list of what may stand for it; the names of finishes are wishes, unless there is nothing else
needles as materialized (
  select list(any_of) filter (not is_finish or are_all) as wanted, list(needle) filter (is_finish) as wishes,
    coalesce(arg_max(needle, length(needle)) filter (not is_like and (not is_finish or are_all)), '') as longest,
    string_agg(word, ' ' order by place) filter (is_finish and not are_all) as finish, array_to_string(list_sort(list(word)), ' ') as key,
    array_to_string(list_sort(list(word) filter (not is_finish or are_all)), ' ') as finishless, coalesce(bool_or(is_like), false) as is_like
  from (
    select w.place, any_value(w.word) as word, any_value(w.needle) as needle, any_value(w.is_finish) as is_finish, count(s.needle) > 0 as is_like,
      if(count(s.needle) = 0, [any_value(w.needle)], list(distinct s.needle)) as any_of, bool_and(any_value(w.is_finish)) over () as are_all
    from words w left join spelt s on s.place = w.place
    group by w.place
  )
),
ids as materialized (
  select distinct unnest([id, lower(id), place]) as id from question where regexp_matches(id, '[0-9_-]')
),
by_id as materialized (
  select game_id, product_id from external_ids join ids on ids.id = external_id
  union
  select game_id, product_id from products join (select try_cast(id as bigint) as product_id from ids) using (product_id)
  union
  select game_id, product_id from products join ids on ids.id = name_slug
  union
  select game_id, product_id from search.codes join ids on ids.id = code
),
hits as materialized (
  select p.game_id, p.product_id, p.released, p.kind = 'token' as is_token,
    case when p.place = q.place or list_has_any(p.keys, [n.key, n.finishless, q.id]) then 0
      when len(list_filter(n.wanted, lambda any_of: len(list_filter(any_of, lambda needle: contains(p.words[:p.near], needle))) > 0)) = len(n.wanted) then 1 else 2 end as tier,
    len(list_filter(n.wishes, lambda needle: contains(p.words, needle))) as wishes
  from search.texts p cross join question q cross join filters f cross join needles n
  where contains(p.words, n.longest)
    and (n.wanted is null or len(list_filter(n.wanted, lambda any_of: len(list_filter(any_of, lambda needle: contains(p.words, needle))) > 0)) = len(n.wanted))
    and (game is null or p.game_id = game) and (f.game_asked is null or p.game_id = f.game_asked)
    and (f.set_asked is null or p.code = f.set_asked or contains(' ' || p.set_name, ' ' || f.set_asked))
    and (f.rarity is null or starts_with(p.rarity, f.rarity))
    and (f.kind is null or p.product_type = f.kind or contains(' ' || replace(p.kind, '_', ' '), ' ' || f.kind))
    and (f.finish is null or contains(p.words, ' ' || f.finish))
),
ranked as materialized (
  select game_id, product_id, -1 as tier, 0 as wishes, false as is_token, null::timestamptz as released from by_id where game is null or game_id = game
  union all
  from (select game_id, product_id, tier, wishes, is_token, released from hits) anti join by_id using (game_id, product_id)
),
offered as materialized (
  -- a finish that is wished for counts first, but it need not have a price
  select v.* replace (v.choice + if(contains(v.key, ' ' || n.finish), 0, 1000) as choice)
  from (select v.* from search.figures v join (select game_id, product_id from ranked) using (game_id, product_id)) v cross join filters f cross join needles n
  where (f.currency is null or v.currency = f.currency) and (f.finish is null or contains(v.key, ' ' || f.finish))
),
-- how many of a currency are a euro
rates as materialized (
  select 'EUR' as currency, 1::double as rate
  union all
  select currency, arg_max(rate, day)::double from fx_rates where currency <> 'EUR' group by currency
),
valued as materialized (
  select r.*, v.* exclude (game_id, product_id), v.market_value / x.rate as worth
  from ranked r
  left join (from offered semi join (select game_id, product_id, min(choice) as choice from offered group by all) using (game_id, product_id, choice)) v
    using (game_id, product_id)
  left join rates x using (currency)
  cross join filters f
  where (f.above is null or v.market_value > f.above) and (f.least is null or v.market_value >= f.least)
    and (f.below is null or v.market_value < f.below) and (f.most_paid is null or v.market_value <= f.most_paid)
),
best as materialized (
  from valued
  order by tier > 0, is_token, wishes desc, tier, worth desc nulls last, currency, market_value desc nulls last, released desc nulls last, game_id, product_id
  limit most offset skip
),
translated as (
  select game_id, product_id, arg_min(t.name, length(t.name)) as name
  from translations t join best using (game_id, product_id) cross join needles n
  where len(list_filter(n.wanted, lambda any_of: len(list_filter(any_of, lambda needle: contains(' ' || search.folded(t.name) || ' ', needle))) > 0)) = len(n.wanted)
  group by all
)
select (skip + row_number() over (order by b.tier > 0, b.is_token, b.wishes desc, b.tier, b.worth desc nulls last, b.currency, b.market_value desc nulls last, b.released desc nulls last, game_id, product_id))::bigint as place,
  (select count(*) from valued) as found, game_id, product_id, p.name,
  if(len(list_filter(n.wanted, lambda any_of: len(list_filter(any_of, lambda needle: contains(' ' || search.folded(p.name) || ' ', needle))) > 0)) < len(n.wanted), t.name, null) as other_name,
  p.expansion_id, p.expansion_code, p.expansion_name, p.print_number, p.variant, p.rarity, s.kind, b.finish, b.source, b.currency, b.market_value, b.value_before,
  round(100.0 * (b.market_value - b.value_before) / b.value_before, 2) as percent, if(b.value_before is null, null, d.seen_before) as seen_before,
  case when b.tier <= 0 then 'exact' when n.is_like then 'like' else 'words' end as how
from best b
join products p using (game_id, product_id)
join search.texts s using (game_id, product_id)
cross join needles n
left join translated t using (game_id, product_id)
left join search.spans d using (game_id)
order by place;
