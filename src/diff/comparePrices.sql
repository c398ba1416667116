-- Price differences between two snapshots of a game, for products in both: tables `source_moves` and `depth_moves`, one row per
-- price row that moved, and `block_moves`, one per product whose unknown price blocks did; view `changes`, one row per figure (its meaning: lake/published/changes.sql). The names of figures are put together
-- in the view, as there are millions of them.
-- reads: schemas before and after with the tables of the two snapshots; touched_products, catalogue_changes;
--        variables game_id, from_snapshot, to_snapshot

create temp table gone_or_new as select id as product_id from touched_products where change <> 'modified';

create temp table source_moves as
select
  coalesce(b.product_id, a.product_id) as product_id,
  coalesce(b.finish, a.finish) as finish,
  coalesce(b.source, a.source) as source,
  b.currency as old_currency, b.low as old_low, b.mid as old_mid, b.high as old_high, b.market_value as old_market_value,
  b.change_24h as old_change_24h, b.change_7d as old_change_7d, b.change_30d as old_change_30d,
  b.extra as old_extra,
  a.currency, a.low, a.mid, a.high, a.market_value, a.change_24h, a.change_7d, a.change_30d, a.extra
from before.source_prices b
full join after.source_prices a on a.product_id = b.product_id and a.finish = b.finish and a.source = b.source
where (b.low is distinct from a.low or b.mid is distinct from a.mid or b.high is distinct from a.high
  or b.market_value is distinct from a.market_value or b.change_24h is distinct from a.change_24h
  or b.change_7d is distinct from a.change_7d or b.change_30d is distinct from a.change_30d
  or b.currency is distinct from a.currency or (getvariable('compares_extra') = 'true' and b.extra is distinct from a.extra))
  and coalesce(b.product_id, a.product_id) not in (from gone_or_new);

-- live listings and the buckets of both, by the prefix that their names share
create temp table depth_moves as
with depths as (
  select
    coalesce(b.product_id, a.product_id) as product_id,
    coalesce(b.finish, a.finish) as finish,
    concat_ws('.', 'marketplace', coalesce(b.region, a.region)) as place,
    b.currency as old_currency, b.low as old_low, b.listing_count as old_listing_count,
    b.available_quantity as old_available_quantity, b.extra as old_extra,
    a.currency, a.low, a.listing_count, a.available_quantity, a.extra
  from before.marketplace_prices b
  full join after.marketplace_prices a
    on a.product_id = b.product_id and a.finish = b.finish and a.region is not distinct from b.region
  union all
  select
    coalesce(b.product_id, a.product_id),
    coalesce(b.finish, a.finish),
    concat_ws('.', 'marketplace', coalesce(b.region, a.region), coalesce(b.condition, a.condition), coalesce(b.language, a.language)),
    null, b.low, b.listing_count, b.available_quantity, null, null, a.low, a.listing_count, a.available_quantity, null
  from before.marketplace_price_conditions b
  full join after.marketplace_price_conditions a
    on a.product_id = b.product_id and a.finish = b.finish and a.region = b.region and a.condition = b.condition
      and a.language is not distinct from b.language
  union all
  select
    coalesce(b.product_id, a.product_id),
    coalesce(b.finish, a.finish),
    concat_ws('.', coalesce(b.source, a.source), coalesce(b.condition, a.condition), coalesce(b.language, a.language)),
    null, b.low, b.listing_count, b.available_quantity, null, null, a.low, a.listing_count, a.available_quantity, null
  from before.source_price_conditions b
  full join after.source_price_conditions a
    on a.product_id = b.product_id and a.finish = b.finish and a.source = b.source and a.condition = b.condition
      and a.language is not distinct from b.language
)
from depths
where (old_currency is distinct from currency or old_low is distinct from low
  or old_listing_count is distinct from listing_count or old_available_quantity is distinct from available_quantity
  or (getvariable('compares_extra') = 'true' and old_extra is distinct from extra))
  and product_id not in (from gone_or_new);

create temp table block_moves as
select product_id, b.price_extra as old, a.price_extra as new
from (select product_id, price_extra from before.products where price_extra is not null) b
full join (select product_id, price_extra from after.products where price_extra is not null) a using (product_id)
where getvariable('compares_extra') = 'true' and b.price_extra is distinct from a.price_extra and product_id not in (from gone_or_new);

-- 14.9900 reads 14.99, 100.0000 reads 100
create macro plain(amount) as rtrim(rtrim(amount::varchar, '0'), '.');

create macro moved(field, old, new) as {field: field, old: old, new: new};

create temp view price_changes as
with figures as (
  select product_id, finish, source as place, unnest([
    moved('currency', old_currency, currency),
    moved('low', plain(old_low), plain(low)),
    moved('mid', plain(old_mid), plain(mid)),
    moved('high', plain(old_high), plain(high)),
    moved('market_value', plain(old_market_value), plain(market_value)),
    moved('change_24h', plain(old_change_24h), plain(change_24h)),
    moved('change_7d', plain(old_change_7d), plain(change_7d)),
    moved('change_30d', plain(old_change_30d), plain(change_30d)),
    moved('extra', old_extra::varchar, if(getvariable('compares_extra') = 'true', extra, old_extra)::varchar)
  ]) as f
  from source_moves
  union all
  select product_id, finish, place, unnest([
    moved('currency', old_currency, currency),
    moved('low', plain(old_low), plain(low)),
    moved('listing_count', old_listing_count::varchar, listing_count::varchar),
    moved('available_quantity', old_available_quantity::varchar, available_quantity::varchar),
    moved('extra', old_extra::varchar, if(getvariable('compares_extra') = 'true', extra, old_extra)::varchar)
  ])
  from depth_moves
  union all
  select product_id, null, null, moved('extra', old::varchar, new::varchar) from block_moves
)
select product_id as id, concat_ws('.', 'prices', finish, place, f.field) as field, f.old as old, f.new as new
from figures
where f.old is distinct from f.new;

create temp view changes as
select getvariable('game_id') as game_id, getvariable('from_snapshot') as from_snapshot, getvariable('to_snapshot') as to_snapshot, *
from (
  select entity, id, change, 'catalogue' as class, field, old, new from catalogue_changes
  union all
  select 'product', id, 'modified', 'price', field, old, new from price_changes
);
