-- finishes: the finishes that products list, in words
-- grain:  one row per (finish)
-- reads:  product_finishes
-- columns:
--   key: its words, each between spaces
create or replace table search.finishes as
select finish, string_split(folded, ' ') as words, ' ' || folded || ' ' as key
from (select finish, search.folded(finish) as folded from (select distinct finish from product_finishes))
order by finish;
