-- The counts of an import, and its rows by verdict without names and numbers.
-- grain:  one row
-- reads:  the file of variable own_cards_file
with cards as (
  select * exclude (cards), coalesce(cards, 0) as cards from read_parquet(getvariable('own_cards_file'))
),
verdicts as (
  select reason as verdict, count(*) as rows, sum(cards)::bigint as cards from cards group by reason
)
select coalesce(max(row), 0)::integer as rows, coalesce(sum(file_quantity), 0)::double as quantity, coalesce(sum(cards), 0)::double as cards,
  count(*) filter (starts_with(reason, 'matched'))::integer as matched, count(*) filter (starts_with(reason, 'ambiguous'))::integer as ambiguous,
  count(*) filter (starts_with(reason, 'unknown'))::integer as unknown,
  count(*) filter (product_id is null and reason <> 'unknown: by your answer no product of this lake')::integer as open,
  count(*) filter (paid is not null and paid_currency is null)::integer as "paidInUnknown",
  count(*) filter (product_id is not null and finish is null)::integer as "finishUnknown",
  (select to_json(list(verdicts order by rows desc, verdict))::varchar from verdicts) as verdicts
from cards;
