-- The largest moves of market value between two snapshots. Variable: rows_shown.
with first as (
  from all_moves where percent is not null order by abs(new - old) desc, product_id, finish, source limit getvariable('rows_shown')
)
select m.product_id::varchar as id, p.name, finish, source, plain(old) as old, plain(new) as new, currency,
  percent_text(percent) as moved
from first m join after.products p using (product_id)
order by abs(m.new - m.old) desc, m.product_id, finish, source
