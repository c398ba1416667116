-- backfill_refusals: rows of the service's own price history that break the contract, by the day of the answer; the row itself stays in the lake
-- grain:  one row per (game_id, product_id, from_day, position)
-- reads:  views backfill_refusals and backfills of the lake's files
-- columns:
--   game_id varchar: the game's id
--   snapshot_date date: the day of the answer, UTC: the dt of the path
--   product_id bigint: the product's id
--   from_day date: first day of the answer that has it
--   position bigint: its place in the answer, from 0
--   path varchar: field of the first fault; empty = the row itself
--   reason varchar: what is wrong with it
select r.*, (b.asked_at at time zone 'UTC')::date as day
from backfill_refusals r join backfills b using (game_id, product_id, from_day)
