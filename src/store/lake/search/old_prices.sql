-- old_prices: what our reading at least seven days before the last one had
-- grain:  one row per (game_id, product_id, finish, source)
-- reads:  source_price_history, reused_ids, search.spans; variable searched_games
insert into search.old_prices by name
select h.game_id, h.product_id, h.finish, h.source, h.currency, h.market_value
from source_price_history h
join search.spans s on s.game_id = h.game_id and s.snapshot_before = h.snapshot
anti join reused_ids r on r.game_id = h.game_id and r.product_id = h.product_id and r.seen_at > h.seen_at
where list_contains(getvariable('searched_games'), h.game_id) and h.origin = 'night' and h.market_value > 0;
