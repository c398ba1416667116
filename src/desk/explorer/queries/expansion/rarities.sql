-- The value of one of every card of an expansion by rarity, the most valuable first.
-- reads: $game, $id
select coalesce(rarity, 'none') as rarity, source, currency, value, percent_of_expansion, round(median_card, 2) as median_card, dearest, priced, cards
from set_values_by_rarity
where game_id = $game and expansion_id = $id::bigint
order by source, currency, value desc, rarity;
