-- What differs between two snapshots of a game, set-wise, into table `changes` (its meaning: lake/published/changes.sql).
-- reads: schemas before and after with the tables of the two snapshots; variables game_id, from_snapshot, to_snapshot

-- 14.9900 reads 14.99, 100.0000 reads 100
create macro plain(amount) as
  case when contains(amount::varchar, '.') then rtrim(rtrim(amount::varchar, '0'), '.') else amount::varchar end;

-- a JSON value as the sorted list of its leaves: the order of keys does not matter, the order of arrays does, 1.0 is 1
create macro canonical_json(j) as (
  select list(
    fullkey || ' ' ||
    case when type in ('UBIGINT', 'BIGINT', 'DOUBLE') then 'NUMBER ' || ((atom::varchar)::double + 0) else type || coalesce(' ' || atom::varchar, '') end
    order by fullkey
  )
  from json_tree(j)
);

create macro moved(field, old, new) as {field: field, old: old, new: new};

-- products whose row hash differs, or that only one side has
create temp table touched_products as
select
  coalesce(b.product_id, a.product_id) as id,
  case when b.product_id is null then 'added' when a.product_id is null then 'removed' else 'modified' end as change
from before.products b
full join after.products a on a.product_id = b.product_id
where b.row_hash is distinct from a.row_hash;

create temp table gone_or_new as select id from touched_products where change <> 'modified';

create temp table product_lists as
with touched as (select id from touched_products where change = 'modified'),
entries as (
  select 'before' as side, product_id, 'languages' as field, position, to_json(language) as entry from before.product_languages
  union all select 'after', product_id, 'languages', position, to_json(language) from after.product_languages
  union all select 'before', product_id, 'finishes', position, to_json(finish) from before.product_finishes
  union all select 'after', product_id, 'finishes', position, to_json(finish) from after.product_finishes
  union all select 'before', product_id, 'external_ids.' || system, position,
    case when finish is null then to_json(external_id) else json_object('finish', finish, 'id', external_id) end from before.external_ids
  union all select 'after', product_id, 'external_ids.' || system, position,
    case when finish is null then to_json(external_id) else json_object('finish', finish, 'id', external_id) end from after.external_ids
),
lists as (
  select side, product_id as id, field, '[' || string_agg(entry::varchar, ',' order by position) || ']' as value
  from entries
  where product_id in (select id from touched)
  group by all
)
select id, field, max(value) filter (side = 'before') as old, max(value) filter (side = 'after') as new
from lists
group by id, field;

create temp table product_fields as
with pairs as (
  select t.id, unnest([
    moved('product_type', b.product_type, a.product_type),
    moved('product_category', b.product_category, a.product_category),
    moved('name', b.name, a.name),
    moved('name_slug', b.name_slug, a.name_slug),
    moved('expansion_id', b.expansion_id::varchar, a.expansion_id::varchar),
    moved('expansion_code', b.expansion_code, a.expansion_code),
    moved('expansion_name', b.expansion_name, a.expansion_name),
    moved('expansion_symbol_url', b.expansion_symbol_url, a.expansion_symbol_url),
    moved('print_number', b.print_number, a.print_number),
    moved('variant', b.variant, a.variant),
    moved('rarity', b.rarity, a.rarity),
    moved('image_url', b.image_url, a.image_url),
    moved('image_back_url', b.image_back_url, a.image_back_url),
    moved('release_date', b.release_date::varchar, a.release_date::varchar)
  ]) as f
  from touched_products t
  join before.products b on b.product_id = t.id
  join after.products a on a.product_id = t.id
  where t.change = 'modified'
),
documents as (
  select t.id, unnest([moved('attributes', b.attributes, a.attributes), moved('extra', b.extra, a.extra)]) as f
  from touched_products t
  join before.products b on b.product_id = t.id
  join after.products a on a.product_id = t.id
  where t.change = 'modified' and (b.attributes is distinct from a.attributes or b.extra is distinct from a.extra)
)
select id, f.field as field, f.old as old, f.new as new from pairs where f.old is distinct from f.new
union all
select id, f.field, f.old::varchar, f.new::varchar from documents
where canonical_json(f.old) is distinct from canonical_json(f.new)
union all
select id, field, old, new from product_lists where old is distinct from new;

create temp table expansion_fields as
with pairs as (
  select coalesce(b.expansion_id, a.expansion_id) as id,
    case when b.expansion_id is null then 'added' when a.expansion_id is null then 'removed' else 'modified' end as change,
    unnest(case
      when b.expansion_id is null then [moved(null, null, a.name)]
      when a.expansion_id is null then [moved(null, b.name, null)]
      else [
        moved('slug', b.slug, a.slug),
        moved('name', b.name, a.name),
        moved('code', b.code, a.code),
        moved('languages', to_json(b.languages)::varchar, to_json(a.languages)::varchar),
        moved('release_date', b.release_date::varchar, a.release_date::varchar),
        moved('card_count', b.card_count::varchar, a.card_count::varchar),
        moved('sealed_product_count', b.sealed_product_count::varchar, a.sealed_product_count::varchar),
        moved('logo_url', b.logo_url, a.logo_url),
        moved('symbol_url', b.symbol_url, a.symbol_url)
      ]
    end) as f
  from before.expansions b
  full join after.expansions a on a.expansion_id = b.expansion_id
),
documents as (
  select a.expansion_id as id, unnest([moved('attributes', b.attributes, a.attributes), moved('extra', b.extra, a.extra)]) as f
  from before.expansions b
  join after.expansions a on a.expansion_id = b.expansion_id
  where b.attributes is distinct from a.attributes or b.extra is distinct from a.extra
)
select id, change, f.field as field, f.old as old, f.new as new from pairs where f.old is distinct from f.new
union all
select id, 'modified', f.field, f.old::varchar, f.new::varchar from documents
where canonical_json(f.old) is distinct from canonical_json(f.new);

create temp table price_fields as
with source_moves as (
  select
    coalesce(b.product_id, a.product_id) as id,
    'prices.' || coalesce(b.finish, a.finish) || '.' || coalesce(b.source, a.source) || '.' as place,
    unnest([
      moved('currency', b.currency, a.currency),
      moved('low', plain(b.low), plain(a.low)),
      moved('mid', plain(b.mid), plain(a.mid)),
      moved('high', plain(b.high), plain(a.high)),
      moved('market_value', plain(b.market_value), plain(a.market_value)),
      moved('change_24h', plain(b.change_24h), plain(a.change_24h)),
      moved('change_7d', plain(b.change_7d), plain(a.change_7d)),
      moved('change_30d', plain(b.change_30d), plain(a.change_30d))
    ]) as f
  from before.source_prices b
  full join after.source_prices a on a.product_id = b.product_id and a.finish = b.finish and a.source = b.source
  where b.low is distinct from a.low or b.mid is distinct from a.mid or b.high is distinct from a.high
    or b.market_value is distinct from a.market_value or b.change_24h is distinct from a.change_24h
    or b.change_7d is distinct from a.change_7d or b.change_30d is distinct from a.change_30d
    or b.currency is distinct from a.currency
),
depth_rows as (
  select 'before' as side, product_id, finish, coalesce('marketplace.' || region, 'marketplace') as place, currency, low,
    listing_count, available_quantity
  from before.marketplace_prices
  union all
  select 'after', product_id, finish, coalesce('marketplace.' || region, 'marketplace'), currency, low, listing_count,
    available_quantity
  from after.marketplace_prices
  union all
  select 'before', product_id, finish, concat_ws('.', 'marketplace', region, condition, language), null, low, listing_count,
    available_quantity
  from before.marketplace_price_conditions
  union all
  select 'after', product_id, finish, concat_ws('.', 'marketplace', region, condition, language), null, low, listing_count,
    available_quantity
  from after.marketplace_price_conditions
  union all
  select 'before', product_id, finish, concat_ws('.', source, condition, language), null, low, listing_count, available_quantity
  from before.source_price_conditions
  union all
  select 'after', product_id, finish, concat_ws('.', source, condition, language), null, low, listing_count, available_quantity
  from after.source_price_conditions
),
depth_moves as (
  select
    coalesce(b.product_id, a.product_id) as id,
    'prices.' || coalesce(b.finish, a.finish) || '.' || coalesce(b.place, a.place) || '.' as place,
    unnest([
      moved('currency', b.currency, a.currency),
      moved('low', plain(b.low), plain(a.low)),
      moved('listing_count', b.listing_count::varchar, a.listing_count::varchar),
      moved('available_quantity', b.available_quantity::varchar, a.available_quantity::varchar)
    ]) as f
  from (from depth_rows where side = 'before') b
  full join (from depth_rows where side = 'after') a
    on a.product_id = b.product_id and a.finish = b.finish and a.place = b.place
  where b.low is distinct from a.low or b.listing_count is distinct from a.listing_count
    or b.available_quantity is distinct from a.available_quantity or b.currency is distinct from a.currency
)
select id, place || f.field as field, f.old as old, f.new as new
from (from source_moves union all from depth_moves)
where f.old is distinct from f.new and id not in (from gone_or_new);

create temp table changes as
select
  getvariable('game_id') as game_id,
  getvariable('from_snapshot') as from_snapshot,
  getvariable('to_snapshot') as to_snapshot,
  *
from (
  select 'product' as entity, t.id, t.change, 'catalogue' as class, null::varchar as field, b.name as old, a.name as new
  from touched_products t
  left join before.products b on b.product_id = t.id
  left join after.products a on a.product_id = t.id
  where t.change <> 'modified'
  union all
  select 'product', id, 'modified', 'catalogue', field, old, new from product_fields
  union all
  select 'product', id, 'modified', 'price', field, old, new from price_fields
  union all
  select 'expansion', id, change, 'catalogue', field, old, new from expansion_fields
);
