-- codes: bar codes and article numbers of products, which the contract does not know: they are in `extra`
-- grain:  one row per (game_id, product_id, code)
-- reads:  products; variable searched_games
insert into search.codes by name
select distinct game_id, product_id, search.folded(code) as code
from (
  select game_id, product_id, unnest(json_extract_string(extra, ['$.ean', '$.gtin', '$.upc', '$.barcode', '$.sku'])) as code
  from products where extra is not null and list_contains(getvariable('searched_games'), game_id)
)
where code is not null
order by game_id, code;
