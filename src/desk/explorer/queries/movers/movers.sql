-- The prices that moved between two readings.
-- reads: $days, $since, $until (days, null = not chosen), $min_price, $min_listings, $source (null = any), $with_history
from movers(days := $days::integer, since := $since::date, until := $until::date, min_price := $min_price::decimal(18, 4),
  min_listings := $min_listings::bigint, source_name := $source::varchar, with_history := $with_history)
