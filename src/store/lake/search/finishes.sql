-- finishes: the finishes that products list, in words
-- grain:  one row per (finish)
-- reads:  product_finishes
create or replace table search.finishes as
select finish, string_split(search.folded(finish), ' ') as words from (select distinct finish from product_finishes) order by finish;
