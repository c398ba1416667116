-- expansions: the expansions of a game as the live deployment lists them
-- grain:  one row per (game_id, expansion_id)
-- reads:  raw_expansions
-- checks: (game_id, expansion_id) is unique; name is not null; card_count >= 0; sealed_product_count >= 0
-- columns:
--   game_id varchar: the game's id
--   expansion_id bigint: the marketplace's id, exact up to 2^53-1; a number space of its own, it may equal a product_id
--   slug varchar: URL-friendly name; may change, never a key; null = the feed does not say
--   name varchar: display name
--   code varchar: short code such as LEA; not unique, mixed case; null = none
--   languages varchar[]: codes of the languages it was printed in, in the feed's order; null = the feed does not say
--   release_date timestamptz: UTC; may lie in the future; null = the feed does not say, or its text is no instant (then it is in extra)
--   card_count bigint: cards as the feed counts them; null = the feed does not say
--   sealed_product_count bigint: sealed products as the feed counts them; null = the feed does not say
--   logo_url varchar: image; null = none
--   symbol_url varchar: image; null = none
--   attributes json: JSON object, open, per game; null = none
--   extra json: JSON object of keys the contract does not know; null = none
create view expansions as
select
  getvariable('game_id') as game_id,
  id as expansion_id,
  slug,
  name,
  code,
  languages,
  release_instant("releaseDate") as release_date,
  "cardCount" as card_count,
  "sealedProductCount" as sealed_product_count,
  "logoUrl" as logo_url,
  "symbolUrl" as symbol_url,
  attributes,
  kept(extra, "releaseDate") as extra
from raw_expansions
order by expansion_id;
