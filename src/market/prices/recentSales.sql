-- grain:  one row per line of an order of the product that counts as sold, newest first
-- counts: not what was cancelled, given back or refunded whole
-- units:  unit_cents in seller_currency
select
  orders.number,
  orders.placed_at,
  orders.seller_currency,
  coalesce(home.region, 'eu') as region,
  item.place,
  item.unit_cents,
  item.quantity,
  item.finish,
  item.condition,
  coalesce(item.language, 'en') as language,
  item.grading_service,
  item.grade,
  item.certification
from order_items item
join orders on orders.order_number = item.order_number
join accounts seller on seller.id = orders.seller_id
left join countries home on home.code = seller.country
where item.product_id = :productId
  and orders.placed_at >= :since
  and orders.status not in ('resolved_full_refund', 'resolved_return')
  and orders.status not like 'cancelled_%'
  and orders.refunded_cents < orders.subtotal_cents + orders.shipping_cents
  and (:finish is null or item.finish = :finish)
  and (:condition is null or item.condition = :condition)
  and (:language is null or coalesce(item.language, 'en') = :language)
  and (orders.number, -item.place) < (:number, -:place)
order by orders.number desc, item.place
limit :rows
