-- backfill_refusals: rows of the marketplace's own price history that break the contract, by the day of the answer; the text of the row is only in the lake
-- grain:  one row per (game_id, product_id, from_day, position)
-- reads:  views backfill_refusals and backfills of the lake's files
-- columns:
--   game_id varchar: the game's id
--   snapshot_date date: the day of the answer, UTC: dt in the path
--   product_id bigint: the product's id
--   from_day date: first day of the answer with the row
--   position bigint: its place in the answer, from 0
--   path varchar: path of the first invalid field; empty = the row itself
--   reason varchar: the error
select r.*, (b.asked_at at time zone 'UTC')::date as day
from backfill_refusals r join backfills b using (game_id, product_id, from_day)
