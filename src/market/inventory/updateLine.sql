update inventory_lines set
  custom_id = :custom_id, comment = :comment, notes = :notes, location_id = :location_id, product_id = :product_id,
  game = :game, finish = :finish, condition = :condition, language = :language, grading_service = :grading_service,
  grade = :grade, certification = :certification, price_cents = :price_cents, identity = :identity,
  quantity = :quantity, updated_at = :updated_at
where id = :id and account_id = :account_id
