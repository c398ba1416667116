-- The time that a caller of nights_at or prices_at means. A cast alone would read a text without a zone in the session's. UTC is appended
-- instead, which fails for a text that has a zone.
create macro as_time(ts) as if(ts is null, error('ts is null: give a time'), coalesce(
  try_cast(ts::varchar || '+00' as timestamptz),
  try_cast(ts::varchar || ':00+00' as timestamptz),
  try_cast(ts::varchar || ' 00:00:00+00' as timestamptz),
  ts::timestamptz
));
