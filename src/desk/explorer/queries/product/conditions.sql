-- Depth by condition and language, at the price sources and at the marketplace; language null = all languages together.
-- reads: $game, $id
with buckets as (
  select source as place, if(source = 'sourceEur', 'EUR', 'USD') as currency, finish, condition, language, low, listing_count, available_quantity
  from source_price_conditions where game_id = $game and product_id = $id::bigint
  union all
  select 'marketplace.' || region, if(region = 'eu', 'EUR', 'USD'), finish, condition, language, low, listing_count, available_quantity
  from marketplace_price_conditions where game_id = $game and product_id = $id::bigint
)
from buckets
order by place, finish, list_position(['NM', 'LP', 'MP', 'HP', 'DMG'], condition) nulls last, condition, language nulls first;
