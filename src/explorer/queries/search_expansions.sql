-- Expansions that have every word of a search in their name, slug or code.
-- reads: $game (null = all), $whole; a condition for each word replaces the words in braces
with texts as (
  select game_id, expansion_id, name as title, slug, code, release_date, card_count, lower(strip_accents(name)) as name,
    lower(strip_accents(concat_ws(chr(10), slug, code))) as more
  from expansions
  where $game is null or game_id = $game
)
select game_id, expansion_id, title as name, code, slug, release_date, card_count
from texts
where {words}
order by name <> lower(strip_accents($whole)), not starts_with(name, lower(strip_accents($whole))), release_date desc nulls last, name, expansion_id
limit 20;
