-- regional_spreads: What sells dearer in the other region, after fees and shipping?
-- grain:  one row per (game_id, product_id, finish)
-- takes:  fee_percent: of the selling price, 5; shipping: of one piece in EUR, 2; min_listings: live listings in each region, 3
-- example: from regional_spreads(fee_percent := 8, shipping := 1.5)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: such as Standard or Foil
--   eu_low: lowest price in the region eu, EUR
--   na_low: lowest price in the region na, USD
--   na_low_eur: the same in EUR, at the rate of the reading's day; null = no rate is loaded for that day: load them with cardlake fx
--   rate_date: day of that rate; null = none
--   buy_in: where it is cheaper; null = no rate
--   net: what selling one there leaves in EUR, fees and shipping paid; null = no rate
--   eu_listings: live listings in eu
--   na_listings: live listings in na
create macro regional_spreads(fee_percent := 5, shipping := 2, min_listings := 3) as table
with last as (select game_id, arg_max(day, place) as day from nights group by game_id),
pairs as (
  select e.game_id, e.product_id, e.finish, e.low as eu_low, u.low as na_low, e.listing_count as eu_listings,
    u.listing_count as na_listings, l.day
  from marketplace_prices e
  join marketplace_prices u on u.game_id = e.game_id and u.product_id = e.product_id and u.finish = e.finish and u.region = 'na'
  join last l on l.game_id = e.game_id
  where e.region = 'eu' and least(e.listing_count, u.listing_count) >= min_listings
),
converted as (
  select b.*, r.rate_date, round(b.na_low / r.rate, 4)::decimal(18, 4) as na_low_eur
  from pairs b left join fx_daily r on r.currency = 'USD' and r.day = b.day
)
select c.game_id, c.product_id, p.name, c.finish, c.eu_low, c.na_low, c.na_low_eur, c.rate_date,
  case when c.na_low_eur is null then null when c.eu_low <= c.na_low_eur then 'eu' else 'na' end as buy_in,
  round(greatest(c.eu_low, c.na_low_eur) * (1 - fee_percent / 100.0) - least(c.eu_low, c.na_low_eur) - shipping, 2)
    * case when c.na_low_eur is null then null else 1 end as net,
  c.eu_listings, c.na_listings
from converted c join products p on p.game_id = c.game_id and p.product_id = c.product_id
order by net desc nulls last, c.product_id, c.finish;
