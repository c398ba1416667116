-- Expansions whose code is the text, or whose name starts with it.
-- reads: temp.sets, $said, $game (null = all)
with asked as (
  select search.folded($said::varchar) as words
)
select game_id, expansion_id, name, code, release_date, card_count, words in (folded_code, folded) as is_whole
from temp.sets cross join asked
where ($game is null or game_id = $game) and length(words) >= 2 and (folded_code = words or starts_with(folded, words))
order by folded_code <> words, folded <> words, release_date desc nulls last, name, expansion_id
limit 5;
