-- Other printings of a card: products of its game with the same name or Magic card id; the newest expansion first, each in its cheapest finish.
-- reads: $game, $id, $name
with own as (
  select external_id from external_ids where game_id = $game and product_id = $id::bigint and system = 'mtgOracleId'
),
same as (
  select product_id from external_ids where game_id = $game and system = 'mtgOracleId' and external_id in (from own)
),
others as (
  select game_id, product_id, name, expansion_id, expansion_name, print_number, variant
  from products
  where game_id = $game and product_id <> $id::bigint and (name = $name or product_id in (from same))
),
dated as (
  select o.*, e.release_date, count(*) over () as printings
  from others o left join expansions e on e.game_id = o.game_id and e.expansion_id = o.expansion_id
  order by e.release_date desc nulls last, o.expansion_name, o.print_number, o.product_id
  limit 12
),
priced as (
  select product_id, min(market_value) filter (source = 'sourceEur') as eur, min(market_value) filter (source = 'sourceUsd') as usd,
    arg_min(currency, market_value) filter (source = 'sourceEur') as eur_in, arg_min(currency, market_value) filter (source = 'sourceUsd') as usd_in
  from source_prices
  where game_id = $game and product_id in (select product_id from dated) and market_value > 0 and is_listed
  group by product_id
)
select d.*, p.eur, p.usd, p.eur_in, p.usd_in
from dated d left join priced p using (product_id)
order by d.release_date desc nulls last, d.expansion_name, d.print_number, d.product_id;
