-- A product's prices at the price sources, with the highest and lowest market value read in the currency, as in price_extremes.
-- reads: table priced (priced.sql); $game, $id
with seen as (
  select source, finish, currency, market_value, min(seen_at) as seen_at
  from priced
  where origin = 'night' and market_value > 0
  group by source, finish, currency, market_value
),
ever as (
  select source, finish, currency, max(market_value) as high, arg_max(seen_at, market_value) as high_at, min(market_value) as low,
    arg_min(seen_at, market_value) as low_at
  from seen
  group by source, finish, currency
)
select if(p.is_listed, p.finish, p.finish || ' (not listed)') as finish, p.source, p.currency, p.low, p.mid, p.high, p.market_value,
  p.change_24h, p.change_7d, p.change_30d, x.high as ever_high, x.high_at, x.low as ever_low, x.low_at
from source_prices p
left join ever x using (source, finish, currency)
where p.game_id = $game and p.product_id = $id::bigint
order by p.source, p.finish;
