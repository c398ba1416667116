-- grain:  orders: one row per order, which is a seller's sale and a buyer's purchase; order_items: one per line that was
--         bought; tracking_scans: one per scan of a carrier; reviews: one per order that its buyer rated, 1 to 5
-- order:  by number, in which they were placed
-- units:  *_cents in seller_currency; buyer_*, tax and total in buyer_currency. *_millis by the marketplace's clock
-- absent: due_at_millis is null when nothing happens by itself, refund_due_millis when no refund is on its way
create table if not exists orders (
  number integer primary key,
  order_number text not null unique,
  buyer_id text not null references accounts (id),
  seller_id text not null references accounts (id),
  status text not null,
  placed_at text not null,
  updated_at text not null,
  shipped_at text,
  delivered_at text,
  completed_at text,
  seller_currency text not null,
  subtotal_cents integer not null,
  shipping_cents integer not null,
  insurance_cents integer not null,
  refunded_cents integer not null default 0,
  buyer_currency text not null,
  buyer_subtotal_cents integer not null,
  buyer_shipping_cents integer not null,
  buyer_fee_cents integer not null,
  tax_cents integer not null,
  total_cents integer not null,
  buyer_refunded_cents integer not null default 0,
  refund_due_millis integer,
  refunded_at text,
  payout_eligible_at text,
  paid_out_at text,
  address text not null,
  shipping_service text not null check (shipping_service in ('tracked', 'untracked', 'managed')),
  tracking_number text,
  tracking_url text,
  carrier text,
  metadata text not null default '{}',
  cancelled_at text,
  cancelled_by text check (cancelled_by in ('buyer', 'seller', 'system')),
  cancel_reason text,
  cancel_reason_text text,
  due_at_millis integer,
  check (refunded_cents between 0 and subtotal_cents + shipping_cents),
  check (buyer_refunded_cents between 0 and total_cents),
  check (total_cents = buyer_subtotal_cents + buyer_shipping_cents + buyer_fee_cents + tax_cents)
) strict;

create index if not exists sales_of_account on orders (seller_id, number);
create index if not exists purchases_of_account on orders (buyer_id, number);
create index if not exists orders_by_status on orders (status, number);
create index if not exists orders_by_due on orders (due_at_millis) where due_at_millis is not null;
create index if not exists orders_by_refund on orders (refund_due_millis) where refund_due_millis is not null;
create unique index if not exists orders_by_tracking on orders (tracking_number) where tracking_number is not null;

create table if not exists order_items (
  order_number text not null references orders (order_number),
  place integer not null,
  product_id integer not null,
  game text not null,
  product_name text not null,
  image_url text,
  condition text,
  language text,
  finish text not null,
  grading_service text,
  grade text,
  certification text,
  quantity integer not null check (quantity > 0),
  unit_cents integer not null,
  buyer_unit_cents integer not null,
  inventory_id text not null,
  custom_id text,
  primary key (order_number, place)
) strict, without rowid;

create index if not exists sold_products on order_items (product_id);

create table if not exists tracking_scans (
  order_number text not null references orders (order_number),
  place integer not null,
  status text not null,
  occurred_at text not null,
  location text,
  description text,
  primary key (order_number, place)
) strict, without rowid;

create table if not exists reviews (
  order_number text primary key references orders (order_number),
  seller_id text not null references accounts (id),
  stars integer not null check (stars between 1 and 5),
  reviewed_at text not null
) strict, without rowid;

create index if not exists reviews_of_seller on reviews (seller_id, stars);
