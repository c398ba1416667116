-- drift: what the feed says beyond the contract: keys it does not know, words outside the known lists, percentages that are rounded, prices of products that the catalogue does not have
-- grain:  one row per (game_id, kind, place, word)
-- reads:  what the shredding noted: words and rounded percentages record by record, unknown keys with their counts
-- checks: (game_id, kind, place, word) is unique
-- columns:
--   game_id varchar: the game's id
--   kind varchar: orphan (a line of a prices file), key (moved to `extra`), word (stored as text) or rounded (a percentage with more than four places, or too great and then in `extra`)
--   place varchar: for a key its list; for a rounded percentage its table; for an orphan prices; for a word finish, language, productCategory, condition, region or releaseDate
--   word varchar: the key's path (* for all keys beyond the first 10,000), the percentage's column, the word, or the id of an orphan's product (* for all beyond the first 1,000)
--   records bigint: how many records have it
select game_id, kind, place, word, sum(records)::bigint as records
from batch
group by all
order by kind, place, word;
