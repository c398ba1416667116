-- Adds the nights that follow those of trust.spans. A game whose earlier readings are no longer the same is computed anew.
delete from trust.spans s where inputs is distinct from trust.inputs(s.game_id, s.seen_at);
create or replace temporary table trust_steps as from trust.steps(null);
create or replace temporary table trust_windows as
select game_id, min(seen_at) as first_at
from (from readings qualify row_number() over (partition by game_id order by seen_at desc) <= 7) group by game_id;

create or replace table trust.changes as
select c.* from trust.changes c
semi join trust.spans using (game_id)
join trust_windows w on w.game_id = c.game_id and c.seen_at >= w.first_at
anti join trust_steps s on s.game_id = c.game_id and s.product_id = c.product_id and s.finish = c.finish and s.source = c.source
union all
select game_id, product_id, finish, source, max(seen_at) from trust_steps group by game_id, product_id, finish, source;

create or replace table trust.jumps as
select j.* from trust.jumps j semi join trust.spans using (game_id) join trust_windows w on w.game_id = j.game_id and j.seen_at >= w.first_at
union all by name
select game_id, product_id, finish, source, currency, seen_at, middle, deviation, set_move from trust_steps where middle is not null;
drop table trust_steps;
drop table trust_windows;
