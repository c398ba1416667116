-- What did a product cost on a day, and what was it called?
select p.name, s.finish, s.price_source, s.market_value, s.currency, s.snapshot_date
from source_prices s join products p using (game_id, snapshot_id, product_id)
where s.snapshot_date = :early_day and p.snapshot_date = :early_day
