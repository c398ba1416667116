-- grain:  accounts: one row per account; api_keys: one row per key, revoked ones too; wallets: one row per seller
-- absent: seller_type and seller_currency are null for an account that only buys
-- units:  *_cents in the wallet's currency; secret_hash is SHA-256, because the key itself is never kept
create table if not exists accounts (
  id text primary key,
  username text not null unique,
  email text not null,
  image_url text not null default '',
  country text,
  created_at text not null,
  api_access integer not null default 1,
  seller_type text check (seller_type in ('pro', 'individual')),
  seller_currency text check (seller_currency in ('USD', 'EUR', 'GBP', 'CAD', 'CHF')),
  seller_stage text not null default 'live' check (seller_stage in ('staged', 'live')),
  seller_status text not null default 'active' check (seller_status in ('active', 'paused', 'suspended', 'banned')),
  vacation_since text,
  rating_average real,
  rating_count integer not null default 0,
  check ((seller_type is null) = (seller_currency is null)),
  check (seller_type is null or country is not null)
) strict;

create table if not exists api_keys (
  id text primary key,
  account_id text not null references accounts (id),
  secret_hash text not null unique,
  ending text not null,
  scopes text not null,
  created_at text not null,
  revoked_at text
) strict;

create table if not exists wallets (
  account_id text primary key references accounts (id),
  currency text not null,
  available_cents integer not null default 0,
  pending_cents integer not null default 0,
  updated_at text not null
) strict;
