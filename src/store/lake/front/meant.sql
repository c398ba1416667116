-- product_meant, expansion_meant: as in a lake, but of ids alone: a front has no search by name.
create macro search.product_meant(said, call) as if(said is null, null, coalesce(
  try_cast(said as bigint), error(call || ': a front finds no product by its name. Give its id, from products')::bigint
));

create macro search.expansion_meant(said, call) as if(said is null, null, coalesce(
  try_cast(said as bigint), error(call || ': a front finds no expansion by its name. Give its id, from expansions')::bigint
));
