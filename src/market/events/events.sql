-- grain:  one row per event and account that it is for
-- order:  by number, in which they happened
-- units:  body is the JSON text that is delivered and signed, byte for byte
create table if not exists events (
  number integer primary key,
  event_id text not null unique,
  account_id text not null references accounts (id),
  type text not null,
  happened_at text not null,
  body text not null
) strict;

create index if not exists events_of_account on events (account_id, number);
create index if not exists events_of_type on events (type, number);
create index if not exists events_of_order
on events (coalesce(body ->> '$.data.orderNumber', body ->> '$.data.context.orderNumber'), number)
where type in ('order.status.changed', 'message.received');
