-- What a search looks through, gathered once for each lake file: a product's words without accents and capitals, and external ids in the
-- order of their hash, so that one is found without reading the others.
create table memory.main.search_texts as
select game_id, product_id, lower(strip_accents(name)) as name,
  lower(strip_accents(concat_ws(chr(10), name_slug, expansion_name, expansion_code, print_number))) as more
from products;

create table memory.main.search_ids as
select hash(external_id) as id_hash, game_id, product_id from external_ids order by id_hash;
