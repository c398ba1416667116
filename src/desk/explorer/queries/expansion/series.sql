-- The value of one of every card of an expansion by day; then, by currency, an index of only those cards that were priced on both of two days:
-- 100 on the first day. Null = there was a reading, and no card had a price.
-- reads: daily (rows of set_value_series); $game, $from (null = all days)
, first as (select source, currency, min(day) as first_day from daily group by source, currency),
read as (
  select f.source, f.currency, f.first_day, r.day
  from first f join (select day from readings where game_id = $game union select day from daily) r on r.day >= f.first_day
  where r.day >= coalesce($from::date, '-infinity'::date)
),
days as (
  select r.source, r.currency, r.first_day, r.day, t.value, t.like_for_like, coalesce(t.origin, 'night') as origin
  from read r left join daily t using (source, currency, day)
),
charts as (
  select 0 as place, 'Value of one of every card' as chart, source, day, currency as pair, currency, null as unit, value::varchar as price, origin from days
  union all
  select 1, 'Like for like, ' || currency || ': the same cards only', source, day, currency, null, '100 = ' || strftime(first_day, '%Y-%m-%d'), like_for_like::varchar, origin
  from days
)
select chart, source, '' as finish, day::varchar as day, currency, unit, price, null as low, null as high, origin
from charts
order by pair, place, source, day;
