-- The products of a catalogue file with what the two other files say of them: code and name of their expansion, and blocks of
-- prices that the contract does not know.
-- reads: own_rows, the lines of the catalogue as rows of products; batch_expansions, batch_price_lines
select p.* replace (
  e.code as expansion_code,
  e.name as expansion_name,
  l.price_extra as price_extra
)
from own_rows p
left join batch_expansions e on e.expansion_id = p.expansion_id
left join batch_price_lines l on l.product_id = p.product_id
