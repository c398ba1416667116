-- grain:  one row per line that is for sale, sold out and hidden ones too; with its seller and, for :country, its shipping
-- units:  compared: the price as it was at the change :since, in a unit of all currencies; of a later line, its first price
-- absent: shipping_cents and shipping_service are null when the seller does not ship there, or without a country
select
  line.*,
  seller.seller_currency as currency,
  seller.username as seller_username,
  seller.country as seller_country,
  seller.seller_type,
  seller.rating_average,
  seller.rating_count,
  coalesce(home.region, 'eu') as region,
  seller.seller_status = 'active' and seller.seller_stage = 'live' as sells_now,
  offer.cents as shipping_cents,
  offer.service as shipping_service,
  coalesce(
    (
      select price_cents from price_changes
      where line_id = line.id and number > :since and price_cents is not null
      order by number limit 1
    ),
    line.price_cents
  ) * (:factors ->> seller.seller_currency) as compared,
  (
    select json_group_array(json_object('fileId', file_id, 'width', width, 'height', height))
    from (select * from photos where photos.line_id = line.id order by place)
  ) as photos
from inventory_lines line
join accounts seller on seller.id = line.account_id
left join countries home on home.code = seller.country
left join shipping_offers offer on offer.seller_id = seller.id and offer.country = :country
where line.price_cents is not null
