-- The time that a caller of nights_at or prices_at means. A cast alone would read a text without a zone in the session's. UTC is appended
-- instead, which fails for a text that has a zone.
create macro as_time(ts) as if(ts is null, error('ts is null: give a time'), coalesce(
  try_cast(ts::varchar || '+00' as timestamptz),
  try_cast(ts::varchar || ':00+00' as timestamptz),
  try_cast(ts::varchar || ' 00:00:00+00' as timestamptz),
  ts::timestamptz
));

-- The UTC day of a time, a day or a text. A cast alone would take a timestamp's day in the session's zone.
create macro as_day(ts) as if(ts is null, null, (as_time(coalesce(ts::varchar, '1970-01-01')) at time zone 'UTC')::date);
