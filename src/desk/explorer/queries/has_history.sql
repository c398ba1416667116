-- One row if a backfill brought any price of a game from the service's history.
-- reads: $game
select 1 as found from backfilled_prices where game_id = $game limit 1
