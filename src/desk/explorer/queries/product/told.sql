-- Every price of a product that a source ever told, with what the service's own history says of days that we did not read; not those of another product that the id once stood for. Read once for everything that a page shows of them.
-- grain: one row per (seen_at, source, finish)
-- reads: $game, $id
create or replace temp table told as
select h.snapshot, h.seen_at, h.origin, h.source, h.finish, h.currency, h.low, h.high, h.market_value
from source_price_history h
anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
where h.game_id = $game and h.product_id = $id::bigint;
