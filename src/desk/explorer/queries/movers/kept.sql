-- A game's moves of some days: the rows of movers.sql, in a tenth of the time.
-- reads: kept (rows of memory.moves_of_days_1 or memory.moves_of_days_7); $game, $min_price, $min_listings, $source (null = any), $expansion (a code, or an id; null = any)
from kept
where game_id = $game and greatest(old, new) >= $min_price::decimal(18, 4) and listing_count >= $min_listings::bigint
  and source = coalesce($source::varchar, source) and ($expansion::varchar is null or product_id in (
    select product_id from products where game_id = $game and (lower(expansion_code) = lower($expansion) or expansion_id::varchar = $expansion)
  ))
