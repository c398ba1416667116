-- source_against_marketplace: Where does the marketplace sell below or above the price source?
-- grain:  one row per (game_id, product_id, finish, region, condition, language)
-- needs:  prices, listings
-- takes:  condition_name: NM, LP, MP, HP or DMG, null = each, default NM; language_name: a language code, null = each, default en
-- view:   near mint, English
-- example: from source_against_marketplace(condition_name := 'LP')
-- columns:
--   game_id: the game's id
--   product_id: the product's id
--   name: its name
--   finish: such as Standard or Foil
--   region: eu, compared with sourceEur, or na, compared with sourceUsd: both sides are in the same currency
--   condition: of the listing; null = sealed, which has none
--   language: of the listing; null = sealed
--   currency: EUR in eu, USD in na
--   marketplace_low: lowest live listing in that condition and language
--   market_value: the source's market value, for near mint in any language
--   source_low: the source's lowest price in the same condition and language (for a sealed product, of all); null = not given
--   difference: marketplace_low minus market_value
--   percent: difference in percent of market_value
--   listing_count: live listings in that condition and language
create macro source_against_marketplace(condition_name := 'NM', language_name := 'en') as table
select m.game_id, m.product_id, p.name, m.finish, m.region, m.condition, m.language, m.currency, m.low as marketplace_low, s.market_value,
  if(m.condition is null, s.low, c.low) as source_low, m.low - s.market_value as difference,
  round(try_cast(100.0 * (m.low - s.market_value) / s.market_value as decimal(38, 10)), 2)::double as percent, m.listing_count
from offers_in(condition_name := condition_name, language_name := language_name) m
join source_prices s on s.game_id = m.game_id and s.product_id = m.product_id and s.finish = m.finish and s.currency = m.currency
  and s.source = case m.region when 'eu' then 'sourceEur' when 'na' then 'sourceUsd' end
left join source_price_conditions c on c.game_id = m.game_id and c.product_id = m.product_id and c.finish = m.finish and c.source = s.source
  and c.condition = m.condition and c.language = m.language
join products p on p.game_id = m.game_id and p.product_id = m.product_id
where s.market_value > 0;
