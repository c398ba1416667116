-- collection_review: Which of my rows are no product yet, and which products can they be? An answer holds for all rows that say the same; rows that are answered with none are left out
-- grain:  one row per (collection, answer_key)
-- takes:  collection_name: one collection, null = all
-- columns:
--   reason: why the rows are no product
--   verdict: the reason of one of them, with its names and numbers
--   ids: the ids in the file, each with its kind
--   rows: of the imported files
--   candidates: up to five products, best first, each with its market value in the finish that the row means, else its cheapest, and what differs from the row
create or replace temp macro collection_review(collection_name := null) as table
with unmatched as (
  select collection, answer_key, any_value(coalesce(reason, verdict)) as reason, any_value(verdict) as verdict, any_value(name) as name, any_value(set_code) as set_code,
    any_value(set_name) as set_name, any_value(number) as number, any_value(ids) as ids, any_value(finish_said) as finish_said, any_value(language) as language,
    count(*) as rows, coalesce(sum(cards), 0)::bigint as cards, any_value(candidate_products)[:5] as candidate_products, min(row) as first_row
  from collection_cards
  where product_id is null and collection = coalesce(collection_name, collection) and reason is distinct from 'unknown: by your answer no product of this lake'
  group by collection, answer_key, if(answer_key is null, row, null)
),
options as (
  select collection, first_row, unnest(candidate_products, recursive := true), generate_subscripts(candidate_products, 1) as position from unmatched
),
priced as (
  select a.*, s.finish as priced_finish, s.market_value, s.currency
  from options a left join source_prices s on s.game_id = a.game_id and s.product_id = a.product_id and s.finish = coalesce(a.finish, s.finish) and s.market_value > 0 and s.is_listed
  qualify row_number() over (partition by a.collection, a.first_row, a.position order by s.source, s.market_value) = 1
),
known as (
  select a.collection, a.first_row, list({ 'game_id': p.game_id, 'product_id': p.product_id, 'name': p.name, 'expansion_code': p.expansion_code,
    'print_number': p.print_number, 'finish': coalesce(a.finish, a.priced_finish), 'market_value': a.market_value, 'currency': a.currency, 'differs': a.differs }
    order by a.position) as candidates
  from priced a join products p on p.game_id = a.game_id and p.product_id = a.product_id
  group by a.collection, a.first_row
)
select u.* exclude (candidate_products, first_row), coalesce(k.candidates, []) as candidates
from unmatched u left join known k using (collection, first_row)
order by u.reason, u.collection, u.cards desc, u.first_row;
