-- Seven-day price moves of my cards, and the change for the quantity I have: as my_movers(), from the cached moves.
-- reads: $collection (null = all), memory.moves_of_days_7
select m.*, c.cards, (m.change * c.cards)::decimal(24, 4) as change_of_all, p.print_number,
  row_number() over (partition by m.currency order by abs(m.change * c.cards) desc, m.product_id, m.finish) as place
from memory.main.moves_of_days_7 m
join own_source(null) using (game_id, product_id, finish, source)
join (
  select game_id, product_id, finish, sum(cards)::bigint as cards
  from own_counted where list_kind = 'collection' and left_out is null group by all
) c using (game_id, product_id, finish)
join products p on p.game_id = m.game_id and p.product_id = m.product_id
where $collection is null or (m.game_id, m.product_id, m.finish) in (
  select (game_id, product_id, finish) from own_counted where collection = $collection and list_kind = 'collection' and left_out is null
)
