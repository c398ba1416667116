-- product_history: every version of every product's catalogue data; prices do not make a version
-- grain:  one row per (game_id, product_id, valid_from)
-- absent: no row at a time = the product was not in the catalogue then
-- columns:
--   game_id: the game's id
--   product_id: the marketplace's id
--   valid_from: when this version was first read, UTC
--   valid_to: when it was first read otherwise, or no longer there, UTC; null = it is so still
--   deployment_id: changelog head of the reading that brought it; null = the feed had no entry
--   change: added or modified
--   changed: fields that differ from the version before, sorted; null = added
--   product_type: card or sealed
--   product_category: kind of sealed product; null = a card
--   name: display name
--   name_slug: URL-friendly name
--   expansion_id: expansion it belongs to; null = tied to no single expansion
--   expansion_code: code as the product embeds it; null = none
--   expansion_name: name as the product embeds it; null = none
--   expansion_symbol_url: symbol as the product embeds it; null = none
--   print_number: collector number as printed; null = sealed, or none
--   variant: variant of the printing; null = none
--   rarity: open list; null = sealed, or none
--   image_url: front image; null = none
--   image_back_url: back image; null = none
--   release_date: UTC; null = the feed does not say
--   attributes: JSON object, open, per game; null = sealed
--   languages: languages it was printed in, in the feed's order
--   finishes: finishes it exists in, in the feed's order; a sealed product has one, Standard
--   extra: JSON object of keys the contract does not know; null = none
create view product_history as
with versions as (
  select v.*, n.seen_at as valid_from, n.deployment_id,
    lead(n.seen_at) over (partition by v.game_id, v.product_id order by n.place) as valid_to
  from files.product_versions v
  join nights n using (game_id, snapshot)
)
select game_id, product_id, valid_from, valid_to, deployment_id, change, changed, product_type, product_category, name, name_slug,
  expansion_id, expansion_code, expansion_name, expansion_symbol_url, print_number, variant, rarity, image_url, image_back_url,
  release_date, attributes, languages, finishes, extra
from versions
where change <> 'removed';
