-- grain:  invented_sellers: one row per account that holds listings nobody made; opened_products: one row per product
--         whose listings are all in inventory_lines. Of the others, the catalogue's live blocks tell the first ones
create table if not exists invented_sellers (
  account_id text primary key references accounts (id),
  region text not null check (region in ('eu', 'na'))
) strict, without rowid;

create table if not exists opened_products (product_id integer primary key) strict;
