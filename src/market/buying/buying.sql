-- grain:  countries: one row per country that parcels go to; shipping_rates: one per seller and country, if the seller states
--         its own; excluded_buyers: one per seller and buyer; carts, cart_items: one per buyer, and per listing in its cart
-- units:  cents in the seller's currency; cart_items.price_cents is the price at which the buyer last saw the item
create table if not exists countries (
  code text primary key,
  region text not null check (region in ('eu', 'na')),
  currency text not null check (currency in ('USD', 'EUR', 'GBP', 'CAD', 'CHF'))
) strict, without rowid;

insert into countries
select value, 'eu', 'EUR' from json_each('["AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GR", "HR", "HU",
  "IE", "IT", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK"]')
union all values ('CH', 'eu', 'CHF'), ('GB', 'eu', 'GBP'), ('CA', 'na', 'CAD'), ('US', 'na', 'USD')
on conflict do nothing;

create table if not exists shipping_rates (
  seller_id text not null references accounts (id),
  country text not null references countries (code),
  cents integer not null check (cents >= 0),
  service text not null check (service in ('tracked', 'untracked', 'managed')),
  primary key (seller_id, country)
) strict, without rowid;

-- Where each seller ships to. One without rates of its own ships tracked within its region, for 2.50.
create view if not exists shipping_offers as
select
  seller.id as seller_id,
  country.code as country,
  coalesce(rate.cents, 250) as cents,
  coalesce(rate.service, 'tracked') as service
from accounts seller
join countries country
left join countries home on home.code = seller.country
left join shipping_rates rate on rate.seller_id = seller.id and rate.country = country.code
where seller.seller_type is not null
  and (
    rate.cents is not null
    or (
      country.region = coalesce(home.region, 'eu')
      and not exists (select 1 from shipping_rates other where other.seller_id = seller.id)
    )
  );

create table if not exists excluded_buyers (
  seller_id text not null references accounts (id),
  buyer_id text not null references accounts (id),
  primary key (seller_id, buyer_id)
) strict, without rowid;

create table if not exists carts (
  account_id text primary key references accounts (id),
  delivery_country text not null
) strict, without rowid;

create table if not exists cart_items (
  account_id text not null references carts (account_id) on delete cascade,
  line_id text not null,
  quantity integer not null check (quantity > 0),
  price_cents integer not null,
  added_at text not null,
  place text not null,
  primary key (account_id, line_id)
) strict, without rowid;
