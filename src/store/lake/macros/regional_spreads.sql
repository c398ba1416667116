-- regional_spreads: Which products sell for more in the other region, after fees, shipping and duty?
-- grain:  one row per (game_id, product_id, finish, condition, language)
-- needs:  listings
-- takes:  condition_name: NM, LP, MP, HP or DMG, null = each, default NM; language_name: a language code, null = each, default en; fee_percent: fee in percent of the selling price, default 5; fee_in_eu, fee_in_na: fee for sales in that region, default null = fee_percent; shipping: cost of shipping one piece in EUR, default 2; shipping_to_eu, shipping_to_na: cost in that direction, default null = shipping; duty_to_eu, duty_to_na: import duty in percent of the purchase price, default 0; duty_on_shipping: true = duty is also due on shipping, default false; duty_on_shipping_to_eu, duty_on_shipping_to_na: the same for that direction, default null = duty_on_shipping; min_listings: minimum live listings in each region, default 3
-- example: from regional_spreads(fee_percent := 8, shipping_to_na := 4.5, duty_to_eu := 3)
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: such as Standard or Foil
--   condition: equal in both regions; null = sealed, which has no condition
--   language: equal in both regions; null = sealed
--   eu_low: lowest price in the region eu, EUR
--   na_low: lowest price in the region na, USD
--   na_low_eur: converted to EUR at the rate of the last reading's day; null = no rate is loaded for that day (load rates with cardlake fx)
--   rate_date: day of that rate; null = none
--   buy_in: region to buy in for the larger net; null = no rate
--   net: profit in EUR of buying one and selling it in the other region, after fees, shipping and duty; null = no rate
--   eu_listings: live listings in eu
--   na_listings: live listings in na
--   eu_available_quantity: units for sale in eu
--   na_available_quantity: units for sale in na
create macro regional_spreads(
  fee_percent := 5, shipping := 2, min_listings := 3, condition_name := 'NM', language_name := 'en', fee_in_eu := null, fee_in_na := null,
  shipping_to_eu := null, shipping_to_na := null, duty_to_eu := 0, duty_to_na := 0,
  duty_on_shipping := false, duty_on_shipping_to_eu := null, duty_on_shipping_to_na := null
) as table
with last as (select game_id, max(day) as day from readings group by game_id),
offers as (from offers_in(condition_name := condition_name, language_name := language_name)),
pairs as (
  select e.game_id, e.product_id, e.finish, e.condition, e.language, e.low as eu_low, u.low as na_low, e.listing_count as eu_listings,
    u.listing_count as na_listings, e.available_quantity as eu_available_quantity,
    u.available_quantity as na_available_quantity, r.rate_date, converted(u.low, r.rate, 1) as na_low_eur
  from offers e
  join offers u on u.game_id = e.game_id and u.product_id = e.product_id and u.finish = e.finish
    and u.condition is not distinct from e.condition and u.language is not distinct from e.language and u.region = 'na'
  join last l on l.game_id = e.game_id
  left join fx_daily r on r.currency = 'USD' and r.day = l.day
  where e.region = 'eu' and e.currency = 'EUR' and u.currency = 'USD'
    and least(e.listing_count, u.listing_count) >= if(
      min_listings = floor(min_listings), min_listings, error('regional_spreads: min_listings is null or not whole')::bigint
    )
),
freights as (
  select *, na_low_eur::decimal(22, 4) as na_price, coalesce(shipping_to_na, shipping)::decimal(18, 4) as freight_to_na,
    coalesce(shipping_to_eu, shipping)::decimal(18, 4) as freight_to_eu,
    if(coalesce(duty_on_shipping_to_na, duty_on_shipping), freight_to_na, 0) as dutiable_to_na,
    if(coalesce(duty_on_shipping_to_eu, duty_on_shipping), freight_to_eu, 0) as dutiable_to_eu,
    100 - try_cast(coalesce(fee_in_na, fee_percent) as decimal(9, 4)) as left_in_na,
    100 - try_cast(coalesce(fee_in_eu, fee_percent) as decimal(9, 4)) as left_in_eu
  from pairs
),
-- in hundredths of a euro, exact: in doubles, a half could be rounded down
both_ways as (
  select *,
    na_price * left_in_na - 100 * (eu_low + freight_to_na) - (eu_low + dutiable_to_na) * duty_to_na::decimal(12, 4) as to_na,
    eu_low * left_in_eu - 100 * (na_price + freight_to_eu) - (na_price + dutiable_to_eu) * duty_to_eu::decimal(12, 4) as to_eu
  from freights
  where if(
    coalesce(fee_in_eu, fee_percent) between 0 and 100 and coalesce(fee_in_na, fee_percent) between 0 and 100, true,
    error('regional_spreads: a fee must be 0 to 100 percent')::boolean
  ) and if(
    coalesce(shipping_to_eu, shipping) >= 0 and coalesce(shipping_to_na, shipping) >= 0 and duty_to_eu >= 0 and duty_to_na >= 0, true,
    error('regional_spreads: shipping and duty must be 0 or more')::boolean
  ) and if(duty_on_shipping is null, error('regional_spreads: duty_on_shipping is null')::boolean, true)
)
select b.game_id, b.product_id, p.name, b.finish, b.condition, b.language, b.eu_low, b.na_low, b.na_low_eur, b.rate_date,
  case when b.to_na >= b.to_eu then 'eu' when b.to_na < b.to_eu then 'na' end as buy_in,
  case when b.na_low_eur is not null then round(greatest(b.to_na, b.to_eu))::double / 100 end as net, b.eu_listings, b.na_listings,
  b.eu_available_quantity, b.na_available_quantity
from both_ways b join products p on p.game_id = b.game_id and p.product_id = b.product_id
order by net desc nulls last, b.product_id, b.finish, b.condition, b.language;
