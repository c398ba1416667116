-- external_ids_at: Which product had which id in another system at a given time?
-- grain:  one row per (game_id, product_id, system, finish, external_id)
-- takes:  ts: the time, a timestamp or its text (UTC if it names no zone)
-- example: from external_ids_at('2026-11-01')
-- columns:
--   *: as in external_id_history
create macro external_ids_at(ts) as table
select h.*
from external_id_history h join nights_at(ts) n using (game_id)
where h.valid_from <= n.seen_at and (h.valid_to is null or h.valid_to > n.seen_at);
