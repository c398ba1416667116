-- The worth of the collection that was imported, and the parts beside it.
-- grain:  one row
-- reads:  collection_counts(); variable own_collection
with counted as (from collection_counts() where collection = getvariable('own_collection')),
sums as (
  select coalesce(any_value(currency), 'EUR') as currency, sum(value) filter (is_in_worth) as worth,
    sum(value) filter (counts_as = 'market value of any condition') as estimated, sum(value) filter (counts_as = 'condition unknown') as unknown,
    sum(cards) filter (value is null and counts_as not in ('proxy', 'of a deck', 'of a list')) as without,
    list({ 'countsAs': counts_as, 'cards': coalesce(cards, 0) } order by cards desc, counts_as) filter (not is_in_worth) as left_out
  from counted
)
select currency, coalesce(worth, 0)::decimal(24, 4)::varchar as worth, coalesce(estimated, 0)::decimal(24, 4)::varchar as estimated,
  coalesce(unknown, 0)::decimal(24, 4)::varchar as "conditionUnknown", coalesce(without, 0)::integer as "cardsWithoutPrice",
  coalesce(to_json(left_out)::varchar, '[]') as "leftOut"
from sums;
