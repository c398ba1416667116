-- Prices of my cards that moved in seven days, and how much that is for what I have of them.
-- reads: $collection (null = all)
select m.*, p.print_number,
  concat_ws(', ', if(m.is_thin, 'thin', null), if(m.is_stale, 'stale', null), if(m.is_far, 'far', null), if(m.is_outlier, 'outlier', null), if(m.reverted, 'spike', null)) as flags
from my_movers() m
join products p on p.game_id = m.game_id and p.product_id = m.product_id
where $collection is null or (m.game_id, m.product_id, m.finish) in (
  select (game_id, product_id, finish) from collection_cards where collection = $collection and list_kind = 'collection'
)
