-- Rows that are no product yet, those of the most cards first, with the products that they can be as JSON.
-- reads: $collection (null = all)
select collection, name, concat_ws(' ', coalesce(set_code, set_name), number, finish_said, ids) as says, cards, verdict, to_json(candidates)::varchar as candidates
from collection_review(collection_name := $collection)
order by cards desc, name
limit 50
