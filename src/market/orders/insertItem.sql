insert into order_items (
  order_number, place, product_id, game, product_name, image_url, condition, language, finish,
  grading_service, grade, certification, quantity, unit_cents, buyer_unit_cents, inventory_id, custom_id
)
values (
  :order_number, :place, :product_id, :game, :product_name, :image_url, :condition, :language, :finish,
  :grading_service, :grade, :certification, :quantity, :unit_cents, :buyer_unit_cents, :inventory_id, :custom_id
)
