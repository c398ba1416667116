-- Prices whose currency changed: view `moved_currencies`, one row per price, and `note_currencies`, one row per source and pair of currencies.
-- reads: price_moves

create temp view moved_currencies as
select product_id, concat_ws('.', coalesce(source, 'marketplace'), region) as source, old_currency as old, currency as new
from price_moves where old_currency <> currency;

create temp view note_currencies as
select source, old, new, count(*) as prices from moved_currencies group by source, old, new;
