-- The rarities and kinds of an expansion's products, the most frequent first.
-- reads: $game, $id
with here as (from products where game_id = $game and expansion_id = $id::bigint)
select 'rarity' as what, coalesce(rarity, 'none') as word, count(*) as products from here group by all
union all
select 'kind', coalesce(product_category, product_type), count(*) from here group by all
order by what, products desc, word;
