-- What a product costs at the price sources, with the highest and lowest market value of all nights.
-- reads: $game, $id
select if(p.is_listed, p.finish, p.finish || ' (not listed)') as finish, p.source, p.currency, p.low, p.mid, p.high, p.market_value, p.change_24h, p.change_7d, p.change_30d,
  x.high as ever_high, x.high_at, x.low as ever_low, x.low_at
from source_prices p
left join (from price_extremes where game_id = $game and product_id = $id::bigint) x using (finish, source, currency)
where p.game_id = $game and p.product_id = $id::bigint
order by p.source, p.finish;
