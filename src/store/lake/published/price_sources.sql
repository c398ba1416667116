-- price_sources: names of the values of column source, as of the last reading of any game; pages and texts use them
-- grain:  one row per (source)
-- reads:  readings; variable known_sources (a JSON list)
-- columns:
--   source varchar: sourceEur, sourceUsd, or marketplace for its own live listings
--   currency varchar: currency of its prices; null = several currencies
--   title varchar: display name
--   url varchar: its home page; null = none in the spec
create or replace table price_sources as
select source, currency, title, url
from (
  select unnest(from_json(getvariable('known_sources'), '[{
    "dialect": "varchar", "source": "varchar", "currency": "varchar", "title": "varchar", "url": "varchar"
  }]'), recursive := true)
)
-- A dialect file is named after the dialect that it is like.
where dialect = coalesce((select split_part(dialect, '+', 1) from readings order by seen_at desc, game_id limit 1), 'spec')
order by source = 'marketplace', source;
