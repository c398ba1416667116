-- The currencies of a game's prices with their sources, the most frequent first.
-- reads: $game
select currency, array_agg(distinct source order by source) as sources
from source_prices where game_id = $game and market_value > 0
group by currency
order by count(*) desc, currency desc
