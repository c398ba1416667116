-- games: the trading-card games of the marketplace
-- grain:  one row per game_id
-- reads:  raw_games
-- checks: (game_id) is unique; name is not null
-- columns:
--   game_id varchar: the marketplace's id of the game, a short slug
--   name varchar: display name
--   release_date timestamptz: when the game came out, UTC; null = the feed does not say, or its text is no instant (then it is in extra)
--   card_count bigint: cards as the feed counts them; null = the feed does not say
--   sealed_product_count bigint: sealed products as the feed counts them; null = the feed does not say
--   logo_url varchar: image; null = none
--   extra json: JSON object of keys the contract does not know; null = none
create view games as
select
  id as game_id,
  name,
  release_instant("releaseDate") as release_date,
  "cardCount" as card_count,
  "sealedProductCount" as sealed_product_count,
  "logoUrl" as logo_url,
  kept(extra, "releaseDate") as extra
from raw_games
order by game_id;
