-- products_at: What was in the catalogue at a given time?
-- grain:  one row per (game_id, product_id)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone)
-- example: from products_at('2026-11-01')
-- columns:
--   valid_to: always null, because later versions are left out; see product_history
--   *: as in product_history
create macro products_at(ts) as table
select h.* replace (null::timestamptz as valid_to)
from product_history h join nights_at(ts) n using (game_id)
where h.valid_from <= n.seen_at and (h.valid_to is null or h.valid_to > n.seen_at);
