-- price_sources: whom the words of column price_source stand for, as the last reading had them. They belong to no game
-- grain:  one row per (game_id, source)
-- reads:  price_sources of the lake
-- columns:
--   game_id varchar: always _all, as in the path
--   snapshot_date date: the dt of the path: the first day of the drop, whenever the names were written last
--   source varchar: sourceEur, sourceUsd, or marketplace for its own live listings
--   currency varchar: of its prices; null = in several
--   title varchar: the name that people know
--   url varchar: its home page; null = the spec names none
select '_all' as game_id, source, currency, title, url
from price_sources
