-- Expansions whose code is the text, or whose name starts with it.
-- reads: $said, $game (null = all)
with asked as (
  select search.folded($said::varchar) as words
),
texts as (
  select e.game_id, e.expansion_id, e.name, e.code, e.release_date, e.card_count, search.folded(e.code) = a.words as has_code, search.folded(e.name) as folded, a.words
  from expansions e cross join asked a
  where ($game is null or e.game_id = $game) and length(a.words) >= 2
)
select game_id, expansion_id, name, code, release_date, card_count, coalesce(has_code, false) or folded = words as is_whole
from texts
where has_code or starts_with(folded, words)
order by not coalesce(has_code, false), folded <> words, release_date desc nulls last, name, expansion_id
limit 5;
