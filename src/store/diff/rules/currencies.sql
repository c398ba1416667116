-- One row per price source, or region of the marketplace, and pair of currencies: how many of the prices that both snapshots have changed
-- from the one to the other. Sources with one and the same currency in both are left out before anything is joined.
-- reads: schemas before and after
with sources as (
  select source from (
    select source, currency from before.source_prices group by all
    union
    select source, currency from after.source_prices group by all
  ) group by source having count(*) > 1
),
regions as (
  select region from (
    select region, currency from before.marketplace_prices group by all
    union
    select region, currency from after.marketplace_prices group by all
  ) group by region having count(*) > 1
),
prices as (
  select b.source, b.currency as old, a.currency as new
  from (from before.source_prices semi join sources using (source)) b
  join after.source_prices a using (product_id, finish, source)
  union all
  select concat_ws('.', 'marketplace', b.region), b.currency, a.currency
  from (from before.marketplace_prices where exists (from regions r where r.region is not distinct from marketplace_prices.region)) b
  join after.marketplace_prices a
    on a.product_id = b.product_id and a.finish = b.finish and a.region is not distinct from b.region
)
select source, old, new, count(*) as moved, sum(count(*)) over (partition by source) as prices
from prices
group by source, old, new
qualify old <> new
order by moved desc, source, old, new;
