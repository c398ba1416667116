-- How each of my cards counts: in the worth, beside it, or why it does not.
-- reads: $collection (null = all), $currency
select counts_as, is_in_worth, sum(cards)::bigint as cards, round(sum(value), 2) as value, currency
from collection_counts(to_currency := $currency) where $collection is null or collection = $collection
group by all
order by is_in_worth desc, value desc nulls last, cards desc, counts_as
