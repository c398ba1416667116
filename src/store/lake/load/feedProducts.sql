-- Products of a catalogue file, joined with the two other files: code and name of their expansion, and unknown price blocks.
-- reads: own_rows, the lines of the catalogue as rows of products; batch_expansions, batch_price_lines
select p.* replace (
  e.code as expansion_code,
  e.name as expansion_name,
  l.price_extra as price_extra
)
from own_rows p
left join batch_expansions e on e.expansion_id = p.expansion_id
left join batch_price_lines l on l.product_id = p.product_id
