-- fx_rates: what one EUR was worth in another currency, as the European Central Bank published it
-- grain:  one row per (currency, day)
-- columns:
--   currency: three letters
--   day: day the rate was published for; none on weekends and holidays
--   rate: units of the currency for one EUR
--   source: file or address it was loaded from
--   loaded_at: when, UTC
--   sha256: of the loaded CSV
create table fx_rates (
  currency varchar, day date, rate decimal(18, 6), source varchar, loaded_at timestamptz, sha256 varchar
);
