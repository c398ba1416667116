-- Raw pages to typed records, one table a list. The files are the extraction's `load` files: every record in them was accepted by
-- the contract, so no cast here can change a value.
-- reads: variables game_files, expansion_files, product_files, changelog_files, game_id, page_bytes (the largest page, uncompressed)

create table raw_games as
select g.* from (
  select unnest(data) as g
  from read_json(getvariable('game_files'), columns = {data: 'raw_game[]'}, format = 'newline_delimited',
                 maximum_object_size = getvariable('page_bytes'))
)
where g.id = getvariable('game_id');

create table raw_expansions as
select e.* from (
  select unnest(data) as e
  from read_json(getvariable('expansion_files'), columns = {data: 'raw_expansion[]'}, format = 'newline_delimited',
                 maximum_object_size = getvariable('page_bytes'))
);

create table raw_products as
select p.* from (
  select unnest(data) as p
  from read_json(getvariable('product_files'), columns = {data: 'raw_product[]'}, format = 'newline_delimited',
                 maximum_object_size = getvariable('page_bytes'))
);

-- newest first: `feed_position` 1 is the head
create table raw_deployments as
select d.*, row_number() over (order by filename, place) as feed_position from (
  select unnest(data) as d, generate_subscripts(data, 1) as place, filename
  from read_json(getvariable('changelog_files'), columns = {data: 'raw_deployment[]'}, format = 'newline_delimited',
                 maximum_object_size = getvariable('page_bytes'), filename = true)
);

-- the price blocks of every finish; a sealed product has one price, kept under finish Standard
create view finish_prices as
select id as product_id, unnest(map_keys("pricesByFinish")) as finish, unnest(map_values("pricesByFinish")) as blocks
from raw_products
where "productType" = 'card'
union all
select id, 'Standard', prices
from raw_products
where "productType" = 'sealed';

-- a release date as an instant; null where the feed's text is none, as in `nullT00:00:00.000Z`, or names no zone
create macro release_instant(text) as
  case
    when regexp_full_match(text, '\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})')
    then try_cast(text as timestamptz)
  end;

-- an object of kept keys with one more, its value as it came: json_merge_patch would lose nulls inside it
create macro with_key(object, key, value) as
  case
    when value is null then object
    when object is null then json_object(key, value)
    else (left(object::varchar, -1) || ',' || substr(json_object(key, value)::varchar, 2))::json
  end;

-- a percentage as it is kept; null where it is too great for that
create macro percentage(figure) as try_cast(figure as decimal(12, 4));

create macro loses_digits(figure) as coalesce(percentage(figure) is distinct from figure and figure is not null, false);
create macro is_rounded(block) as
  loses_digits(block.change24h) or loses_digits(block.change7d) or loses_digits(block.change30d);

-- `extra`, with the text of a percentage that is too great
create macro kept_percentage(extra, key, figure) as
  with_key(extra, key, case when percentage(figure) is null then figure::varchar end);

-- `extra`, with the text of a release date that is no instant
create macro kept(extra, release_date) as
  with_key(extra, 'releaseDate', case when release_instant(release_date) is null then release_date end);
