-- folded: a text as a search compares it: small letters without accents, ligatures in two letters, apostrophes gone, other signs as spaces, numbers
-- without leading zeros
create macro search.folded(said) as case
  -- Fast path: most names and numbers only need lower case.
  when regexp_full_match(said, '([A-Za-z]|[1-9][0-9]*)+( ([A-Za-z]|[1-9][0-9]*)+)*') then lower(said)
  else trim(regexp_replace(
    regexp_replace(
      regexp_replace(
        translate(replace(replace(replace(replace(lower(strip_accents(lower(said))), 'æ', 'ae'), 'œ', 'oe'), 'ß', 'ss'), 'þ', 'th'), 'øłđðıħ', 'olddih'),
        '[''’‘ʼʹ`´ꞌ＇]', '', 'g'
      ),
      '[^\p{L}\p{M}\p{N}]+', ' ', 'g'
    ),
    '(^|[^0-9])0+([0-9])', '\1\2', 'g'
  ))
end;

-- wordless: what remains of a name that has neither letters nor figures
create macro search.wordless(said) as lower(regexp_replace(said, '\s+', '', 'g'));

-- in_order: the words of a folded text in the order of the alphabet, so that `Lotus, Black` is Black Lotus
create macro search.in_order(folded) as array_to_string(list_sort(string_split(folded, ' ')), ' ');

-- initials: the first letters of a folded text of three to nine words without a leading `the`; null = it has fewer or more
create macro search.initials(folded) as if(regexp_full_match(folded, '(the )?\S+( \S+){2,8}'),
  array_to_string(list_transform(string_split(regexp_replace(folded, '^the ', ''), ' '), lambda word: word[1]), ''), null);

-- has: whether a text has every needle of a list, and of each list of `likes` at least one
create macro search.has(said, wanted, likes) as len(list_filter(wanted, lambda needle: not contains(said, needle))) = 0
  and (likes is null or len(list_filter(likes, lambda any_of: len(list_filter(any_of, lambda needle: contains(said, needle))) > 0)) = len(likes));

-- lacking: the words of which a text has none of the needles, as a list of words
create macro search.lacking(said, words) as
  list_transform(list_filter(words, lambda word: len(list_filter(word.any_of, lambda needle: contains(said, needle))) = 0), lambda word: word.word);

-- is_several: whether a kind of product is several sealed products, such as a case, which a folded search text does not name
create macro search.is_several(kind, folded) as
  (regexp_matches(kind, '(^|_)case$') and not regexp_matches(folded, '\b(case|carton)'))
  or (regexp_matches(kind, '_display$|^subset$|^deck_box$') and not regexp_matches(folded, '\b(display|box|set|case|carton)'));

-- mark: a bit of 64 for the first three letters of each word of a text that has blanks before its words. A text without a bit of some words lacks one of them
create macro search.mark(words) as coalesce(list_bit_or(list_transform(regexp_extract_all(words, ' ([^ ][^ ][^ ])', 1),
  lambda start: 1::ubigint << ((ord(start) * 7 + ord(start[2:]) * 11 + ord(start[3:]) * 13) % 64)::ubigint)), 0);
