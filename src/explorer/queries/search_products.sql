-- Products that have every word of a search in their name, slug, expansion or print number: the nearest to it first.
-- reads: memory.search_texts; $game (null = all), $whole (the search as one text); a condition for each word replaces the words in braces
with found as materialized (
  select game_id, product_id, name from memory.main.search_texts
  where ($game is null or game_id = $game) and {words}
),
nearest as (
  select *, case when name = lower(strip_accents($whole)) then 0 when starts_with(name, lower(strip_accents($whole))) then 1 else 2 end as far
  from found
  order by far, length(name), name, product_id, game_id
  limit 50
)
select p.game_id, p.product_id, p.name, p.name_slug, p.expansion_id, p.expansion_name, p.print_number, p.variant, p.rarity,
  coalesce(p.product_category, p.product_type) as kind, (select count(*) from found) as all_found
from nearest n
join products p on p.game_id = n.game_id and p.product_id = n.product_id
order by n.far, length(n.name), n.name, n.product_id, n.game_id;
