-- Whether a night, or a correction of earlier ones, is not yet in schema trust, and whether a game was read twice.
-- In the `where` of this join, DuckDB finds equal checksums distinct.
select is_stale, readings > 1 as is_comparable
from (
  select bool_or(inputs is distinct from inputs_now) as is_stale from (
    select s.inputs, trust.inputs(game_id, seen_at) as inputs_now
    from (select game_id, max(seen_at) as seen_at from nights group by game_id) n full join trust.spans s using (game_id, seen_at)
  )
), (select max(readings) as readings from (select count(*) as readings from readings group by game_id))
