-- Of moves those of a game that are chosen, in one currency. What flags a price is in one list of words.
-- reads: moved (rows of movers); $game, $currency (null = any), $expansion (a
--   code, or the id of one whose code others have, too), $kind (card or sealed), $finish (null = any), $flagged (all, hide, only, outliers, or one flag to hide)
select * exclude (flags), array_to_string(flags, ', ') as flags, abs(change) as size, abs(percent) as percent_size
from (
  select m.*, p.print_number, list_filter([
      if(m.is_thin, 'thin', null), if(m.is_stale, 'stale', null), if(m.is_far, 'far', null),
      if(m.is_outlier, 'outlier', null), if(m.reverted, 'spike', null)
    ], lambda flag: flag is not null) as flags
  from moved m
  left join products p using (game_id, product_id)
  where game_id = $game and m.currency = coalesce($currency, m.currency)
    and ($expansion::varchar is null or lower(m.expansion_code) = lower($expansion) or (
      p.expansion_id::varchar = $expansion and not exists (from expansions e where e.game_id = $game and lower(e.code) = lower($expansion))
    )) and ($kind::varchar is null or p.product_type = $kind)
    and ($finish::varchar is null or lower(m.finish) = lower($finish))
)
where case $flagged when 'all' then true when 'hide' then len(flags) = 0 when 'only' then len(flags) > 0
  when 'outliers' then list_contains(flags, 'outlier') else not list_contains(flags, $flagged) end
