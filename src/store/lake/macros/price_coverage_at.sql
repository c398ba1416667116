-- price_coverage_at: What share of an expansion had a price at a given time, by source?
-- grain:  one row per (game_id, expansion_id, source)
-- takes:  ts: a timestamp or its text (UTC if it has no time zone); with_history: as in prices_at, default false
-- example: from price_coverage_at('2026-11-01')
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion; null = products without an expansion
--   name: its name then; null = none
--   source: sourceEur, sourceUsd, or marketplace for its own live listings
--   products: products in the catalogue then
--   priced: products with a market value above 0 in at least one finish; for the marketplace, with a live listing above 0
--   percent: priced in percent of products
create macro price_coverage_at(ts, with_history := false) as table
with priced as (
  select distinct game_id, product_id, source from prices_at(ts, with_history := with_history) where market_value > 0
  union all
  select distinct game_id, product_id, 'marketplace' from marketplace_prices_at(ts) where low > 0
)
select p.game_id, p.expansion_id, any_value(e.name) as name, w.source, count(*) as products, count(x.product_id) as priced,
  round(try_cast(100.0 * count(x.product_id) / count(*) as decimal(38, 10)), 1)::double as percent
from products_at(ts) p
cross join (values ('sourceEur'), ('sourceUsd'), ('marketplace')) w(source)
left join priced x on x.game_id = p.game_id and x.product_id = p.product_id and x.source = w.source
left join expansions_at(ts) e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
group by p.game_id, p.expansion_id, w.source;
