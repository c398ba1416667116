-- Watched products with their prices, bounds and distance to the bounds; those that have reached a bound come first.
-- reads: own_watch, watch_hits()
select w.number, w.game_id, w.product_id, p.name, p.expansion_code, p.print_number, coalesce(h.finish, w.finish) as finish, h.source, h.price, h.currency, h.percent, h.flags,
  concat_ws(' or ', 'below ' || w.below, 'above ' || w.above, 'moved ' || w.percent_wanted || ' % in ' || if(w.days = 1, 'a day', w.days || ' days')) as bounds,
  h.seen_before,
  case
    when h.price is null then 'no price now'
    when h.hit <> '' then 'reached: ' || h.hit
    else concat_ws(' or ',
      'a fall of ' || round(try_cast(100 * (h.price - w.below::decimal(18, 4)) / h.price as decimal(38, 10)), 2)::decimal(18, 2) || ' %',
      'a rise of ' || round(try_cast(100 * (w.above::decimal(18, 4) - h.price) / h.price as decimal(38, 10)), 2)::decimal(18, 2) || ' %',
      if(h.percent is null, null, round(w.percent_wanted::decimal(18, 4) - abs(h.percent), 2)::decimal(18, 2) || ' points more'))
  end as still
from own_watch w
left join products p on p.game_id = w.game_id and p.product_id = w.product_id
left join watch_hits() h on h.number = w.number
order by coalesce(h.hit, '') = '', w.number, h.finish, h.source
