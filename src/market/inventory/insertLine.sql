insert into inventory_lines (
  id, account_id, custom_id, comment, notes, location_id, product_id, game, finish, condition, language,
  grading_service, grade, certification, price_cents, identity, quantity, updated_at
) values (
  :id, :account_id, :custom_id, :comment, :notes, :location_id, :product_id, :game, :finish, :condition, :language,
  :grading_service, :grade, :certification, :price_cents, :identity, :quantity, :updated_at
)
