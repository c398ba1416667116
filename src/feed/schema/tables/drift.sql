-- drift: deviations of the feed from the contract: unknown keys, values outside the known lists, rounded percentages, prices of products that are not in the catalogue
-- grain:  one row per (game_id, kind, place, word)
-- reads:  what the shredding noted: words and rounded percentages record by record, unknown keys with their counts
-- checks: (game_id, kind, place, word) is unique
-- columns:
--   game_id varchar: the game's id
--   kind varchar: orphan (a line of a prices file), key (moved to `extra`), word (an unknown value, stored as text) or rounded (a percentage with more than four places, or too large and then in `extra`)
--   place varchar: for a key its list; for a rounded percentage its table; for an orphan `prices`; for a word its field: finish, language, productCategory, condition, region or releaseDate
--   word varchar: the key's path (* = all after the first 10,000), the percentage's column, the unknown value, or the id of an orphan's product (* = all after the first 1,000)
--   records bigint: number of records with it
select game_id, kind, place, word, sum(records)::bigint as records
from batch
group by all
order by kind, place, word;
