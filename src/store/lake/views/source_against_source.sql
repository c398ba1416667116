-- source_against_source: How much do the two price sources differ, in one currency?
-- grain:  one row per (game_id, product_id, finish)
-- absent: finishes without a price of sourceEur in EUR and of sourceUsd in USD
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: such as Standard or Foil
--   is_listed: true if the product lists the finish
--   eur: market value of sourceEur, EUR
--   usd: market value of sourceUsd, USD
--   usd_in_eur: converted to EUR at the rate of the last reading's day; null = no rate is loaded for that day (load rates with cardlake fx)
--   rate_date: day of that rate; null = none
--   difference: usd_in_eur minus eur; null = no rate
--   percent: difference in percent of eur; null = no rate
create view source_against_source as
with last as (select game_id, max(day) as day from readings group by game_id)
select e.game_id, e.product_id, p.name, e.finish, e.is_listed, e.market_value as eur, u.market_value as usd,
  converted(u.market_value, r.rate, 1) as usd_in_eur, r.rate_date, usd_in_eur - e.market_value as difference,
  round(try_cast(100.0 * (usd_in_eur - e.market_value) / e.market_value as decimal(38, 10)), 2)::double as percent
from source_prices e
join source_prices u on u.game_id = e.game_id and u.product_id = e.product_id and u.finish = e.finish and u.source = 'sourceUsd'
join products p on p.game_id = e.game_id and p.product_id = e.product_id
join last l on l.game_id = e.game_id
left join fx_daily r on r.currency = 'USD' and r.day = l.day
where e.source = 'sourceEur' and e.currency = 'EUR' and u.currency = 'USD' and e.market_value > 0 and u.market_value > 0;
