-- Creates the empty tables that find_products reads, outside of the users' schema.
create table search.texts (
  game_id varchar, product_id bigint, product_type varchar, code varchar, set_name varchar, rarity varchar, released timestamptz, kind varchar,
  keys varchar[], names varchar using compression uncompressed, facets varchar, own bigint, others struct(letters bigint, "name" varchar, words varchar)[], place varchar, mark ubigint
);
create table search.old_prices (
  game_id varchar, product_id bigint, finish varchar, source varchar, currency varchar, market_value decimal(18, 4)
);
create table search.games (game_id varchar, words varchar);
create table search.finishes (finish varchar, words varchar[]);
create table search.words (game_id varchar, word varchar, start varchar, letters bigint);
create table search.codes (game_id varchar, product_id bigint, code varchar);
create table search.spans (game_id varchar, seen_at timestamptz, snapshot_before varchar, seen_before timestamptz);
