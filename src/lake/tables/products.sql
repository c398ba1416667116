-- products: single cards and sealed products of the live deployment
-- grain:  one row per (game_id, product_id)
-- reads:  raw_products
-- checks: (game_id, product_id) is unique; product_type in ('card', 'sealed'); name is not null; row_hash is not null
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the marketplace's id, exact up to 2^53-1
--   product_type varchar: card or sealed
--   product_category varchar: kind of sealed product such as booster_box, an open list; null = a card
--   name varchar: display name; not unique
--   name_slug varchar: URL-friendly name; changes when the product is renamed, never a key
--   expansion_id bigint: expansion it belongs to; null = tied to no single expansion
--   expansion_code varchar: code as the product embeds it; null = no expansion embedded, or it has no code
--   expansion_name varchar: name as the product embeds it; null = no expansion embedded
--   expansion_symbol_url varchar: symbol as the product embeds it; null = none
--   print_number varchar: collector number as printed, text; null = sealed, or none
--   variant varchar: variant of the printing; null = none
--   rarity varchar: open list; null = sealed, or none
--   image_url varchar: front image; null = none
--   image_back_url varchar: back image; null = none
--   release_date timestamptz: UTC; null = the feed does not say, or its text is no instant (then it is in extra)
--   attributes json: JSON object, open, per game; null = sealed
--   extra json: JSON object of keys the contract does not know, and of stock the feed sent unasked; null = none
--   price_extra json since 2 unversioned: JSON object of whole price blocks the contract does not know; they move as prices do, so no version has them; null = none
--   row_hash varchar: md5 over everything but prices: languages, finishes and external ids included
create view products as
select
  getvariable('game_id') as game_id,
  id as product_id,
  "productType" as product_type,
  "productCategory" as product_category,
  name,
  "nameSlug" as name_slug,
  "expansionId" as expansion_id,
  expansion.code as expansion_code,
  expansion.name as expansion_name,
  expansion."symbolUrl" as expansion_symbol_url,
  "printNumber" as print_number,
  variant,
  rarity,
  "imageUrl" as image_url,
  "imageBackUrl" as image_back_url,
  release_instant("releaseDate") as release_date,
  attributes,
  with_key(kept(extra, "releaseDate"), 'availability', availability) as extra,
  "priceExtra" as price_extra,
  md5(row(*columns(* exclude (id, "gameId", "pricesByFinish", prices, "priceExtra")))::varchar) as row_hash
from raw_products
order by product_id;
