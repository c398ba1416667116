-- prices_at: What did the price sources say at a given time? The prices of the last reading before it; one night is read, however many there are
-- grain:  one row per (game_id, product_id, finish, source)
-- takes:  ts: the time, a timestamp or its text (UTC if it names no zone); with_history: whether a price is the service's own where its history has a later day than that reading, of the week before the time, false
-- example: from prices_at('2026-11-01 12:00')
-- columns:
--   *: as in source_price_history
create macro prices_at(ts, with_history := false) as table
with past as (
  select h.game_id, h.product_id, h.finish, h.source, max(h.seen_at) as seen_at
  from source_price_history h
  left join nights_at(ts) n using (game_id)
  where with_history and h.origin = 'history' and h.seen_at <= as_time(ts) and epoch(as_time(ts)) - epoch(h.seen_at) < 8 * 86400
    and (n.seen_at is null or h.seen_at > n.seen_at)
  group by h.game_id, h.product_id, h.finish, h.source
)
select p.* from source_price_history p join nights_at(ts) n using (game_id, snapshot)
anti join past l using (game_id, product_id, finish, source)
where p.origin = 'night'
union all by name
select p.* from source_price_history p join past l using (game_id, product_id, finish, source, seen_at)
where with_history and p.origin = 'history';
