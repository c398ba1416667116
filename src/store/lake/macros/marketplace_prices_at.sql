-- marketplace_prices_at: What was for sale at a given time? The live listings of the last reading before that time
-- grain:  one row per (game_id, product_id, finish, region)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone)
-- example: from marketplace_prices_at('2026-11-01')
-- columns:
--   *: as in marketplace_price_history
create macro marketplace_prices_at(ts) as table
select p.* from marketplace_price_history p join nights_at(ts) n using (game_id, snapshot);
