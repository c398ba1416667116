-- Records the last night of each game whose changes are in the tables of this schema.
create or replace table trust.spans as
select game_id, seen_at, trust.inputs(game_id, seen_at) as inputs from (select game_id, max(seen_at) as seen_at from nights group by game_id);
