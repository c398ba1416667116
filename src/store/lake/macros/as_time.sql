-- The time that a caller means: a time, a day or a text of ISO 8601. Where it names no zone, it is UTC: a cast alone would take the session's zone.
create macro as_time_text(parts) as parts.day || ' ' || lpad(parts.hour, 2, '0') || ':' || lpad(parts.minute, 2, '0') || ':'
  || if(parts.second = '', '00', replace(parts.second, ',', '.')) || if(parts.zone in ('', 'Z', 'z'), '+00', parts.zone);
-- The last two: years before Christ, and a zone by its name.
create macro as_time(ts, parameter := 'ts') as if(ts is null, error(parameter || ' is null: give a time'), coalesce(
  try_cast(as_time_text(regexp_extract(
    ts::varchar, '^\s*(\d{4,6}[-/]\d\d?[-/]\d\d?)(?:(?:[Tt]|\s+)(\d\d)(?::?(\d\d)(?::?(\d\d(?:[.,]\d+)?))?)?)?\s*([Zz]|[+-]\d\d(?::?\d\d){0,2})?\s*$',
    ['day', 'hour', 'minute', 'second', 'zone']
  )) as timestamptz),
  try_cast(ts::varchar || ' 00:00:00+00' as timestamptz),
  try_cast(regexp_extract(ts::varchar, '^.*\d.*$') as timestamptz),
  error(parameter || ' is not a time: ' || ts::varchar || '. Give a time such as 2026-08-10 or 2026-08-10T05:30Z')::timestamptz
));

-- The UTC day of a time, a day or a text. A cast alone would take a timestamp's day in the session's zone.
create macro as_day(ts, parameter := 'ts') as
  if(ts is null, null, (as_time(coalesce(ts::varchar, '1970-01-01'), parameter) at time zone 'UTC')::date);
