-- Returns the arguments of a call of movers. The parameters and defaults are those of movers that whyEmpty uses.
create or replace temp macro asked_movers(days := 7, min_price := 1, min_listings := 0, source_name := null, since := null, until := null,
  with_history := false) as table
select days::double as days, min_price::varchar as min_price, min_listings::double as min_listings, source_name::varchar as source,
  as_day(since)::varchar as since, as_day(until)::varchar as until, with_history::boolean as with_history
