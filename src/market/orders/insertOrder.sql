insert into orders (
  number, order_number, buyer_id, seller_id, status, placed_at, updated_at,
  seller_currency, subtotal_cents, shipping_cents, insurance_cents,
  buyer_currency, buyer_subtotal_cents, buyer_shipping_cents, buyer_fee_cents, tax_cents, total_cents,
  address, shipping_service, due_at_millis
)
values (
  :number, :order_number, :buyer_id, :seller_id, 'pending_shipment', :at, :at,
  :seller_currency, :subtotal, :shipping, :insurance,
  :buyer_currency, :buyer_subtotal, :buyer_shipping, :buyer_fee, :tax, :total,
  :address, :shipping_service, :due_at_millis
)
returning *
