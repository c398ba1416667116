-- The filtered moves of a game, in one currency.
-- reads: moved (rows of movers); $until (its day, null = the last reading), $game, $currency (null = any), $expansion (a
--   code, or the id of one whose code others have, too), $kind (card or sealed), $finish (null = any), $trust (all, ok, doubted, or one verdict)
select *, abs(change) as size, abs(percent) as percent_size
from (
  select m.*, p.print_number
  from moved m
  left join (
    select product_id, print_number, expansion_id, product_type, '-infinity'::timestamptz as valid_from, 'infinity'::timestamptz as valid_to
    from products where $until::date is null and game_id = $game
    union all
    select product_id, print_number, expansion_id, product_type, valid_from, coalesce(valid_to, 'infinity')
    from product_history where $until::date is not null and game_id = $game
  -- plain comparisons: with any other condition DuckDB would compare each move with each product
  ) p on p.product_id = m.product_id and p.valid_from <= m.seen_at and p.valid_to > m.seen_at
  where m.game_id = $game and m.currency = coalesce($currency, m.currency)
    and ($expansion::varchar is null or lower(m.expansion_code) = lower($expansion) or (
      p.expansion_id::varchar = $expansion and not exists (from expansions e where e.game_id = $game and lower(e.code) = lower($expansion))
    )) and ($kind::varchar is null or p.product_type = $kind)
    and ($finish::varchar is null or lower(m.finish) = lower($finish))
)
where case $trust when 'all' then true when 'doubted' then verdict <> 'ok' else verdict = $trust end
