-- The value of one of every card of every expansion: computed once for a site, which has a page of each.
create or replace table memory.main.set_values_by_day as from set_value_series(null)
