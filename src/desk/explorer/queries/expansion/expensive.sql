-- The ten most expensive cards of an expansion at each source, each in its cheapest listed finish, and the same price in an earlier reading.
-- reads: $game, $id, $before (the snapshot of the earlier reading, null = none)
with members as (
  select product_id, name, print_number, variant, rarity
  from products where game_id = $game and expansion_id = $id::bigint and product_type = 'card'
),
cheapest as (
  select s.product_id, s.source, s.currency, s.finish, s.market_value
  from source_prices s semi join members using (product_id)
  where s.game_id = $game and s.market_value > 0 and s.is_listed
  qualify row_number() over (partition by s.product_id, s.source, s.currency order by s.market_value, s.finish) = 1
),
dearest as materialized (
  select *, row_number() over (partition by source, currency order by market_value desc, product_id) as place
  from cheapest
  qualify place <= 10
),
earlier as (
  select h.product_id, h.source, h.currency, h.finish, h.market_value
  from source_price_history h
  where h.game_id = $game and h.snapshot = $before and h.origin = 'night' and h.market_value > 0
    and h.product_id in (select product_id from dearest)
)
select d.place, d.product_id, m.name, m.print_number, m.variant, m.rarity, d.source, d.currency, d.finish, d.market_value, e.market_value as value_before,
  round(try_cast(100.0 * (d.market_value - e.market_value) / e.market_value as decimal(38, 10)), 2)::double as percent
from dearest d
join members m using (product_id)
left join earlier e using (product_id, source, currency, finish)
order by d.source, d.currency, d.place;
