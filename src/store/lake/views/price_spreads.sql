-- price_spreads: How much do a source's low, middle and high price differ?
-- grain:  one row per (game_id, product_id, finish, source)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil
--   source: sourceEur or sourceUsd
--   currency: of the prices
--   low: lowest price; null = not given
--   mid: middle price; null = not given
--   high: highest price; null = not given
--   low_to_mid: mid minus low, in percent of mid; null = one is missing or mid is 0
--   low_to_high: high minus low, in percent of mid; null = one is missing or mid is 0
create view price_spreads as
select game_id, product_id, finish, source, currency, low, mid, high, round(try_cast(100.0 * (mid - low) / nullif(mid, 0) as decimal(38, 10)), 2)::double as low_to_mid,
  round(try_cast(100.0 * (high - low) / nullif(mid, 0) as decimal(38, 10)), 2)::double as low_to_high
from source_prices;
