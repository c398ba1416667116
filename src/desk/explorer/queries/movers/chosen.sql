-- The filtered moves of a game, in one currency. The warnings about a price are joined into one text.
-- reads: moved (rows of movers); $until (its day, null = the last reading), $game, $currency (null = any), $expansion (a
--   code, or the id of one whose code others have, too), $kind (card or sealed), $finish (null = any), $flagged (all, hide, only, outliers, or one flag to hide)
select * exclude (is_flagged), abs(change) as size, abs(percent) as percent_size, concat_ws(', ',
    if(is_thin, 'thin', null), if(is_stale, 'stale', null), if(is_far, 'far', null), if(is_outlier, 'outlier', null), if(reverted, 'spike', null)) as flags
from (
  select m.*, p.print_number, is_thin or is_stale or is_far or is_outlier or reverted as is_flagged
  from moved m
  left join (
    select product_id, print_number, expansion_id, product_type, null::timestamptz as valid_from, null::timestamptz as valid_to
    from products where $until::date is null and game_id = $game
    union all
    select product_id, print_number, expansion_id, product_type, valid_from, valid_to
    from product_history where $until::date is not null and game_id = $game
  ) p on p.product_id = m.product_id and coalesce(p.valid_from <= m.seen_at, true) and coalesce(p.valid_to > m.seen_at, true)
  where m.game_id = $game and m.currency = coalesce($currency, m.currency)
    and ($expansion::varchar is null or lower(m.expansion_code) = lower($expansion) or (
      p.expansion_id::varchar = $expansion and not exists (from expansions e where e.game_id = $game and lower(e.code) = lower($expansion))
    )) and ($kind::varchar is null or p.product_type = $kind)
    and ($finish::varchar is null or lower(m.finish) = lower($finish))
)
where case $flagged when 'all' then true when 'hide' then not is_flagged when 'only' then is_flagged when 'outliers' then is_outlier
  when 'thin' then not is_thin when 'stale' then not is_stale when 'far' then not is_far when 'outlier' then not is_outlier else not reverted end
