-- Creates the empty tables that price_trust reads, outside of the users' schema.
create schema trust;
-- The last change of each price that changed in the last seven readings. A price without a row did not change in them.
create table trust.changes (game_id varchar, product_id bigint, finish varchar, source varchar, seen_at timestamptz);
-- The jumps of the last seven readings. `middle` and `deviation` are logarithms of the price's own readings before the jump, `set_move` is one of its set's move.
create table trust.jumps (
  game_id varchar, product_id bigint, finish varchar, source varchar, currency varchar, seen_at timestamptz, middle double, deviation double, set_move double
);
-- The last night of each game whose changes are in these tables, and a checksum of the readings that they were computed from.
create table trust.spans (game_id varchar, seen_at timestamptz, inputs varchar);

-- inputs: a checksum of a game's readings and reused ids until a time. A rollback, a late release or a corrected clock changes it
create macro trust.inputs(game, until) as (
  select md5(string_agg(concat_ws(' ', what, epoch_us(read_at)), ',' order by read_at, what))
  from (
    select snapshot as what, seen_at as read_at from readings r where r.game_id = game and r.seen_at <= until
    union all
    select product_id::varchar, seen_at from reused_ids u where u.game_id = game and u.seen_at <= until
  )
);
