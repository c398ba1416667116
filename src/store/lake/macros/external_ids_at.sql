-- external_ids_at: Which product had which id in another system at a given time?
-- grain:  one row per (game_id, product_id, system, finish, external_id)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone)
-- example: from external_ids_at('2026-11-01')
-- columns:
--   valid_to: always null, because later versions are left out; see external_id_history
--   *: as in external_id_history
create macro external_ids_at(ts) as table
select h.* replace (null::timestamptz as valid_to)
from external_id_history h join nights_at(ts) n using (game_id)
where h.valid_from <= n.seen_at and (h.valid_to is null or h.valid_to > n.seen_at);
