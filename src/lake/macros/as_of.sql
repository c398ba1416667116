-- Games as they were at a time. The readings live then; a time before the first night has none.
create macro nights_at(ts) as table
  select game_id, arg_max(snapshot, place) as snapshot, max(seen_at) as seen_at
  from nights
  where seen_at <= ts::timestamptz
  group by game_id;

-- The catalogue then, a row a product.
create macro products_at(ts) as table
  from product_history
  where valid_from <= ts::timestamptz and (valid_to is null or valid_to > ts::timestamptz);

-- The expansions then.
create macro expansions_at(ts) as table
  from expansion_history
  where valid_from <= ts::timestamptz and (valid_to is null or valid_to > ts::timestamptz);

-- The source prices of the last reading before a time: one night is read, however many there are.
create macro prices_at(ts) as table
  select p.* from source_price_history p join nights_at(ts) n using (game_id, snapshot);

-- The marketplace's own listings of the last reading before a time.
create macro marketplace_prices_at(ts) as table
  select p.* from marketplace_price_history p join nights_at(ts) n using (game_id, snapshot);
