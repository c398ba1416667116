-- fx_rates: exchange rates of the EUR as published by the European Central Bank. They belong to no game
-- grain:  one row per (game_id, snapshot_date, currency)
-- reads:  variable rates_file
-- columns:
--   game_id varchar: always _all, as in the path
--   snapshot_date date: the day of the rate: dt in the path
--   currency varchar: three letters
--   day date: day of the rate; there is none for weekends and holidays
--   rate decimal(18, 6): units of the currency for one EUR
select '_all' as game_id, currency, day, rate
from read_parquet(getvariable('rates_file'), hive_partitioning = false)
