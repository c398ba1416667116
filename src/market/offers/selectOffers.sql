-- grain: one row per listing of a product that can be bought
select
  line.finish,
  coalesce(home.region, 'eu') as region,
  line.condition,
  line.language,
  line.grading_service is not null as graded,
  seller.seller_currency as currency,
  line.price_cents as cents,
  line.quantity
from inventory_lines line
join accounts seller on seller.id = line.account_id
left join countries home on home.code = seller.country
where line.product_id = :productId
  and line.price_cents is not null
  and line.quantity > 0
  and seller.seller_status = 'active'
  and seller.seller_stage = 'live'
order by line.id
