-- What a product costs at the price sources, with the highest and lowest market value of all nights, and of what the service's own history says of other days.
-- reads: $game, $id
select if(p.is_listed, p.finish, p.finish || ' (not listed)') as finish, p.source, p.currency, p.low, p.mid, p.high, p.market_value, p.change_24h, p.change_7d, p.change_30d,
  x.high as ever_high, x.high_at, x.high_origin, x.low as ever_low, x.low_at, x.low_origin
from source_prices p
left join (from price_extremes(with_history := true) where game_id = $game and product_id = $id::bigint) x using (finish, source, currency)
where p.game_id = $game and p.product_id = $id::bigint
order by p.source, p.finish;
