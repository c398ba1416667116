-- words: the words of names from four letters on, among which a search looks for what a misspelt one was to be
-- grain:  one row per (game_id, word)
-- reads:  search.texts
-- columns:
--   start: its first four letters, by which few rows of the table are read
--   letters: how many it has
insert into search.words by name
select distinct game_id, word, word[:4] as start, length(word) as letters
from (
  select game_id, unnest(string_split(name, ' ')) as word
  from (select distinct game_id, unnest(keys) as name from search.texts where list_contains(getvariable('searched_games'), game_id))
)
where length(word) >= 4 and not regexp_matches(word, '[0-9]')
order by game_id, word;
