-- grain:  webhook_endpoints: one row per address that an account has events sent to; deliveries: one row per event and endpoint;
--         delivery_attempts: one row per request that was sent
-- absent: failing_since is null while the last attempt was answered well, disabled_at while the endpoint is on,
--         next_at_millis when there is nothing to send, status when no answer came, error when one came
-- units:  *_millis since 1970 by the marketplace's clock
create table if not exists webhook_endpoints (
  id text primary key,
  account_id text not null references accounts (id),
  url text not null,
  secret text not null,
  created_at text not null,
  failing_since_millis integer,
  disabled_at text
) strict;

create index if not exists webhook_endpoints_of_account on webhook_endpoints (account_id);

create table if not exists deliveries (
  id text primary key,
  event_number integer not null references events (number),
  endpoint_id text not null references webhook_endpoints (id) on delete cascade,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed')),
  attempts integer not null default 0,
  next_at_millis integer,
  check ((state = 'pending') = (next_at_millis is not null))
) strict;

create index if not exists deliveries_by_time on deliveries (next_at_millis, id) where next_at_millis is not null;
create index if not exists deliveries_of_endpoint on deliveries (endpoint_id, id);

create table if not exists delivery_attempts (
  delivery_id text not null references deliveries (id) on delete cascade,
  number integer not null,
  attempted_at text not null,
  status integer,
  error text,
  primary key (delivery_id, number)
) strict, without rowid;
