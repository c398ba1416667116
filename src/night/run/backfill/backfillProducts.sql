-- The products of some games with their highest market value of all finishes and sources, so that a backfill can begin
-- with the dearest. For this order alone, a dollar counts as a euro.
-- reads: variable backfill_games
create or replace temp view candidates as
select p.*, v.market_value
from products p
left join (
  select game_id, product_id, max(market_value) as market_value from source_prices where market_value > 0 group by all
) v using (game_id, product_id)
where list_contains(getvariable('backfill_games'), p.game_id);
