-- The currencies of a game's prices, that of most prices first.
-- reads: $game
select currency from source_prices where game_id = $game and market_value > 0 group by currency order by count(*) desc, currency desc
