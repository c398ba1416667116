-- All prices of a product from any source, plus the service's history for days without a reading, without those of another product that had the id before. The page's queries share this table.
-- grain: one row per (seen_at, source, finish)
-- reads: $game, $id
create or replace temp table priced as
select h.snapshot, h.seen_at, h.origin, h.source, h.finish, h.currency, h.low, h.high, h.market_value
from source_price_history h
anti join reused_ids u on u.game_id = h.game_id and u.product_id = h.product_id and u.seen_at > h.seen_at
where h.game_id = $game and h.product_id = $id::bigint;
