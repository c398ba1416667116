-- grain:  labels: one row per tag or location of an account; inventory_lines: one row per line of stock
--         price_changes: one row per price that a line had before another one, the last million of them
-- units:  price_cents in the seller's currency; null = not for sale. quantity is never negative
-- keys:   custom_id is unique in an account; lines without one that agree in identity and location_id are equal
create table if not exists labels (
  id text primary key,
  account_id text not null references accounts (id),
  kind text not null check (kind in ('tag', 'location')),
  name text not null,
  name_key text not null,
  color text,
  icon text,
  unique (account_id, kind, name_key)
) strict;

create table if not exists inventory_lines (
  id text primary key,
  account_id text not null references accounts (id),
  custom_id text,
  comment text,
  notes text,
  location_id text references labels (id) on delete set null,
  product_id integer not null,
  game text not null,
  finish text not null,
  condition text,
  language text,
  grading_service text,
  grade text,
  certification text,
  price_cents integer check (price_cents >= 0),
  identity text not null,
  quantity integer not null check (quantity >= 0),
  updated_at text not null
) strict, without rowid;

create index if not exists lines_of_account on inventory_lines (account_id, id);
create unique index if not exists lines_by_custom_id on inventory_lines (account_id, custom_id) where custom_id is not null;
-- Before layout 2, equal lines were one, wherever they were.
drop index if exists lines_by_identity;
create index if not exists equal_lines on inventory_lines (account_id, identity, location_id) where custom_id is null;
create index if not exists lines_by_product on inventory_lines (account_id, product_id);
create index if not exists listed_lines on inventory_lines (product_id, price_cents) where price_cents is not null;
create index if not exists lines_by_location on inventory_lines (location_id) where location_id is not null;

-- A sweep over listings keeps the places that they had when it began, whatever is repriced meanwhile.
create table if not exists price_changes (
  number integer primary key autoincrement,
  line_id text not null references inventory_lines (id) on delete cascade,
  price_cents integer
) strict;

create index if not exists price_changes_of_line on price_changes (line_id, number);

create trigger if not exists price_changed after update of price_cents on inventory_lines
when old.price_cents is not new.price_cents
begin
  insert into price_changes (line_id, price_cents) values (old.id, old.price_cents);
  delete from price_changes where number <= (select max(number) from price_changes) - 1000000;
end;

create table if not exists line_tags (
  line_id text not null references inventory_lines (id) on delete cascade,
  tag_id text not null references labels (id) on delete cascade,
  primary key (line_id, tag_id)
) strict, without rowid;

create index if not exists lines_by_tag on line_tags (tag_id);

create table if not exists photos (
  line_id text not null references inventory_lines (id) on delete cascade,
  place integer not null,
  file_id text not null,
  content_type text not null,
  width integer not null,
  height integer not null,
  primary key (line_id, place)
) strict, without rowid;
