-- The share of an expansion's products that have a price, and the value of one of every card, by source.
-- reads: $game, $id
select c.source, c.products, c.priced, c.percent, v.value, v.dearest, round(v.median_card, 2) as median_card, v.percent_ten_dearest, v.currency,
  v.cards, v.priced as priced_cards
from price_coverage c
left join set_values v on v.game_id = c.game_id and v.expansion_id = c.expansion_id and v.source = c.source
where c.game_id = $game and c.expansion_id = $id::bigint
order by c.source = 'marketplace', c.source;
