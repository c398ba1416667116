-- price_coverage: What share of an expansion has a price, by source?
-- grain:  one row per (game_id, expansion_id, source)
-- columns:
--   game_id: the game's id
--   expansion_id: the expansion; null = products without an expansion
--   name: its name; null = none
--   source: sourceEur, sourceUsd, or marketplace for its own live listings
--   products: products in the catalogue
--   priced: products with a market value above 0 in at least one finish; for the marketplace, with a live listing above 0
--   percent: priced in percent of products
create view price_coverage as
with priced as (
  select distinct game_id, product_id, source from source_prices where market_value > 0
  union all
  select distinct game_id, product_id, 'marketplace' from marketplace_prices where low > 0
)
select p.game_id, p.expansion_id, any_value(e.name) as name, w.source, count(*) as products, count(x.product_id) as priced,
  round(try_cast(100.0 * count(x.product_id) / count(*) as decimal(38, 10)), 1)::double as percent
from products p
cross join (values ('sourceEur'), ('sourceUsd'), ('marketplace')) w(source)
left join priced x on x.game_id = p.game_id and x.product_id = p.product_id and x.source = w.source
left join expansions e on e.game_id = p.game_id and e.expansion_id = p.expansion_id
group by p.game_id, p.expansion_id, w.source;
