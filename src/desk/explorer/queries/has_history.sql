-- Whether the service's own history was asked about any price of a game.
-- reads: $game
select 1 as found from backfilled_prices where game_id = $game limit 1
