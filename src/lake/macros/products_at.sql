-- products_at: What was in the catalogue at a time
-- grain:  one row per (game_id, product_id)
-- takes:  ts: the time, a timestamp or its text (UTC where it names no zone)
-- example: from products_at('2026-11-01')
-- columns:
--   *: as in product_history
create macro products_at(ts) as table
from product_history
where valid_from <= ts::timestamptz and (valid_to is null or valid_to > ts::timestamptz);
