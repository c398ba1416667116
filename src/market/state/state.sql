-- grain:  sequence: one row, the last number given to anything new; clock: one row; link_secret: one row, what signs links
-- units:  offset_millis: how far the marketplace's clock is ahead of the machine's
create table if not exists sequence (
  id integer primary key check (id = 1),
  last integer not null
) strict;

create table if not exists clock (
  id integer primary key check (id = 1),
  offset_millis integer not null
) strict;

create table if not exists link_secret (
  id integer primary key check (id = 1),
  secret text not null
) strict;

-- The answer that a write with an Idempotency-Key gave, so that it can be given again.
create table if not exists idempotent_answers (
  account_id text not null,
  idempotency_key text not null,
  request text not null,
  status integer not null,
  body text not null,
  answered_at text not null,
  primary key (account_id, idempotency_key)
) strict, without rowid;

-- The body that an answer was given to. An answer of an earlier sandbox has none, and is given to any body.
create table if not exists idempotent_bodies (
  account_id text not null,
  idempotency_key text not null,
  sha256 text not null,
  primary key (account_id, idempotency_key),
  foreign key (account_id, idempotency_key) references idempotent_answers on delete cascade
) strict, without rowid;

create index if not exists idempotent_answers_by_age on idempotent_answers (answered_at);

insert into sequence values (1, 0) on conflict do nothing;
insert into clock values (1, 0) on conflict do nothing;
insert into link_secret values (1, hex(randomblob(32))) on conflict do nothing;
