-- Values of added and removed products: view `item_values`. Moves of market value, one row per price of a product that has one before and after: views `value_moves`, `note_moves`, `move_sizes`;
-- and removed prices: view `note_vanished`. A market value of 0 is no price. Reused ids are left out, as their prices are of two products.
-- reads: price_moves, reused_ids; variables min_move (percent), min_price (in the price's currency, never converted)

-- Removes trailing zeros: 14.9900 becomes 14.99, 100.0000 becomes 100.
create macro plain(amount) as rtrim(rtrim(amount::varchar, '0'), '.');

-- The verdicts of price_trust about the new prices, other than ok. A session of the lake fills it.
create table trusted (product_id bigint, finish varchar, source varchar, verdict varchar);

create temp view moves_of_one as
from price_moves where source is not null and condition is null and product_id not in (from reused_ids);

-- A percentage from 0 does not exist: null.
create temp view all_moves as
select
  product_id, finish, source, currency, old_market_value as old, market_value as new,
  case when old_market_value > 0 then (market_value - old_market_value) * 100 / old_market_value end as percent
from moves_of_one
where old_market_value <> market_value and old_currency = currency and market_value > 0;

-- prices worth a report: the higher of the two figures is at least min_price
create temp view value_moves as
select
  *,
  -- percent is a double, so the bound is compared in decimals; 64-bit decimals would overflow
  abs(new - old) * 100 >= old::decimal(22, 4) * getvariable('min_move')::decimal(12, 4) as is_great
from all_moves
where greatest(old, new) >= getvariable('min_price')::decimal(18, 4);

-- prices whose market value was removed; if there was none, whose low was removed, unless there is a market value now
create temp view note_vanished as
select
  'product' as entity, product_id as id, finish, source, old_currency as currency, plain(old) as old, old as price,
  case when old_market_value > 0 then 'market value' else 'low' end as figure
from (
  select *,
    case when old_market_value > 0 then old_market_value else old_low end as old,
    case when old_market_value > 0 then market_value else greatest(market_value, low) end as new
  from moves_of_one
)
where old > 0 and not coalesce(new > 0, false) and old >= getvariable('min_price')::decimal(18, 4);

create macro percent_text(percent) as printf('%+.1f %%', round(try_cast(percent as decimal(38, 10)), 1)::double);

create temp view note_moves as
select
  'product' as entity, product_id as id, finish, source, currency, plain(old) as old, plain(new) as new, percent,
  percent_text(percent) as moved, if(new > old, '+', '') || plain(new - old) as change, abs(new - old) as size,
  t.verdict as trust
from value_moves m left join trusted t using (product_id, finish, source)
where is_great and percent is not null;

-- the number of moves of each size, independent of the bound: falls below 0, rises above it, in percent from `over` away from 0
create temp view move_sizes as
with edges as (select unnest([-100, -50, -20, -10, -5, 0, 5, 10, 20, 50, 100]) as over),
counted as (
  select
    case
      when percent <= -50 then -100
      when percent <= -20 then -50
      when percent <= -10 then -20
      when percent <= -5 then -10
      when percent < 0 then -5
      when percent < 5 then 0
      when percent < 10 then 5
      when percent < 20 then 10
      when percent < 50 then 20
      when percent < 100 then 50
      else 100
    end as over,
    count(*) as moves
  from value_moves where percent is not null
  group by 1
)
select over, lead(over) over (order by over) as up_to, coalesce(moves, 0) as moves
from edges left join counted using (over)
order by over;

-- what a product is worth, as in searches: its cheapest listed finish, from sourceEur if that has a price; of the snapshot that has the product
create temp view item_values as
with prices as (
  select 'added' as section, p.product_id, p.source, p.finish, p.currency, p.market_value
  from after.source_prices p semi join after.product_finishes using (product_id, finish)
  where p.product_id in (select product_id from added_products)
  union all
  select 'removed', p.product_id, p.source, p.finish, p.currency, p.market_value
  from before.source_prices p semi join before.product_finishes using (product_id, finish)
  where p.product_id in (select product_id from removed_products)
)
select section, product_id as id, arg_min({market_value: market_value, currency: currency}, {source: source, market_value: market_value, finish: finish}) as worth
from prices
where market_value > 0
group by all;
