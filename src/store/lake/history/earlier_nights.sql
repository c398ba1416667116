-- Notes the nights and reused ids that the lake has before it gets others, in temporary tables; a new lake has none.
create table if not exists nights (game_id varchar, snapshot varchar, place integer, seen_at timestamptz);
create table if not exists reused_ids (game_id varchar, product_id bigint, snapshot varchar, seen_at timestamptz, changed varchar[]);
create or replace temporary table earlier_nights as select game_id, snapshot, place, seen_at from nights;
create or replace temporary table earlier_reused_ids as from reused_ids;
