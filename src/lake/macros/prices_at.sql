-- prices_at: What did the price sources say at a given time? The prices of the last reading before it; one night is read, however many there are
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  ts: the time, a timestamp or its text (UTC if it names no zone)
-- example: from prices_at('2026-11-01 12:00')
-- columns:
--   *: as in source_price_history
create macro prices_at(ts) as table
select p.* from source_price_history p join nights_at(ts) n using (game_id, snapshot) where p.origin = 'night';
