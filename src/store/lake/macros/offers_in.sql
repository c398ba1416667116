-- offers_in: What does the marketplace offer in one condition and language?
-- grain:  one row per (game_id, product_id, finish, region, condition, language)
-- needs:  listings
-- takes:  condition_name: NM, LP, MP, HP or DMG, null = each, default NM; language_name: a language code, null = each, default en
-- absent: graded cards, and listings without a language
-- example: from offers_in(condition_name := 'LP')
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   finish: such as Standard or Foil; Standard for sealed products
--   region: eu or na
--   condition: NM, LP, MP, HP, DMG; null = sealed, which has no condition: all its listings of the region
--   language: language code; null = sealed
--   currency: of low
--   low: lowest price, major unit
--   listing_count: live listings
--   available_quantity: units for sale
create macro offers_in(condition_name := 'NM', language_name := 'en') as table
select c.game_id, c.product_id, c.finish, c.region, c.condition, c.language, m.currency, c.low, c.listing_count, c.available_quantity
from marketplace_price_conditions c
join marketplace_prices m on m.game_id = c.game_id and m.product_id = c.product_id and m.finish = c.finish and m.region = c.region
join products p on p.game_id = c.game_id and p.product_id = c.product_id
where p.product_type = 'card' and c.condition = coalesce(condition_name, c.condition) and c.language = coalesce(language_name, c.language)
union all
select m.game_id, m.product_id, m.finish, m.region, null, null, m.currency, m.low, m.listing_count, m.available_quantity
from marketplace_prices m
join products p on p.game_id = m.game_id and p.product_id = m.product_id
where p.product_type = 'sealed' and m.region is not null;
