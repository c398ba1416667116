-- price_sources: names of the values of column price_source, as of the last reading. They belong to no game
-- grain:  one row per (game_id, source)
-- reads:  price_sources of the lake
-- columns:
--   game_id varchar: always _all, as in the path
--   snapshot_date date: dt in the path: always the first day of the export
--   source varchar: sourceEur, sourceUsd, or marketplace for its own live listings
--   currency varchar: currency of its prices; null = several currencies
--   title varchar: display name
--   url varchar: its home page; null = none in the spec
select '_all' as game_id, source, currency, title, url
from price_sources
