-- product_finishes: the finishes a product exists in
-- grain:  one row per (game_id, product_id, position)
-- reads:  raw_products
-- checks: (game_id, product_id, position) is unique; finish is not null
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   position integer: place in the feed's list, from 1
--   finish varchar: such as Standard or Foil, an open list; a sealed product has one, Standard
create view product_finishes as
with listed as (
  select id as product_id, case when "productType" = 'sealed' then ['Standard'] else finishes end as finishes
  from raw_products
)
select
  getvariable('game_id') as game_id,
  product_id,
  unnest(range(1, len(finishes) + 1))::integer as position,
  unnest(finishes) as finish
from listed
order by product_id, position;
