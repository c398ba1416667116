-- product_languages: the languages a product was printed in
-- grain:  one row per (game_id, product_id, position)
-- reads:  raw_products
-- checks: (game_id, product_id, position) is unique; language is not null
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   position integer: place in the feed's list, from 1
--   language varchar: code such as en or zh-Hans, an open list, not always ISO 639
create view product_languages as
select
  getvariable('game_id') as game_id,
  id as product_id,
  unnest(range(1, len(languages) + 1))::integer as position,
  unnest(languages) as language
from raw_products
order by product_id, position;
