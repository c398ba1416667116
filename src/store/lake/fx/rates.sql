-- Reads the European Central Bank's CSV into table `loaded_rates`; `fault` says what is wrong with a cell.
-- A header `Date, USD, JPY, ...`, then one line per day: units of the currency per EUR, or N/A. The full history writes days as
-- 2026-11-20, the daily file as 20 November 2026; a line may end with a comma.
-- reads: variables rates_file, rates_source, rates_sha256, loaded_at

create temp table loaded_rates as
with lines as (
  from read_csv(getvariable('rates_file'), header = true, all_varchar = true, delim = ',', strict_mode = false, null_padding = true)
),
cells as (
  from (select row_number() over () + 1 as line, * from lines) unpivot (rate for currency in (* exclude (line, "Date")))
),
trimmed as (
  select line, trim("Date") as day_text, trim(currency) as currency, trim(rate) as rate_text from cells
),
typed as (
  select line, currency, day_text, rate_text,
    coalesce(try_strptime(day_text, '%Y-%m-%d'), try_strptime(day_text, '%d %B %Y'))::date as day,
    try_cast(rate_text as decimal(18, 6)) as rate
  from trimmed
  where rate_text not in ('', 'N/A') and not regexp_full_match(currency, 'column\d*')
)
select line, currency, day_text, rate_text, day, rate,
  case
    when not regexp_full_match(currency, '[A-Z]{3}') then 'a column that is not a currency'
    when day is null then 'a day that is none'
    when rate is null or rate <= 0 then 'a rate that is none'
    -- Another rate means that the base currency is not the euro.
    when currency = 'EUR' and rate <> 1 then 'a rate of the euro that is not 1'
    when not regexp_full_match(rate_text, '\d{1,12}(\.\d{1,6})?') then 'a rate of more than six places'
  end as fault
from typed;
