-- Price differences between two snapshots of a game, for products in both: tables `source_moves` and `depth_moves`, one row per
-- price row that moved, and `block_moves`, one per product whose unknown price blocks did; view `changes`, one row per figure (its
-- meaning: lake/published/changes.sql). The names of figures are put together in the view, as there are millions of them.
-- reads: schemas before and after with the tables of the two snapshots; touched_products, catalogue_changes;
--        variables game_id, from_snapshot, to_snapshot; and the figures of each table that both snapshots have, such as low|mid|high:
--        source_figures, live_figures, live_condition_figures, source_condition_figures, depth_figures (those of the last three)
-- A row of moves has each figure twice: low, and old_low before it.

create temp table gone_or_new as select id as product_id from touched_products where change <> 'modified';

create macro named(figures) as concat('^(', getvariable(figures), ')$');
create macro named_before(figures) as concat('^old_(', getvariable(figures), ')$');

create temp table source_moves as
with b as (select product_id, finish, source, columns(named('source_figures')) as 'old_\1' from before.source_prices),
a as (select product_id, finish, source, columns(named('source_figures')) from after.source_prices),
figures as (
  select
    coalesce(b.product_id, a.product_id) as product_id,
    coalesce(b.finish, a.finish) as finish,
    coalesce(b.source, a.source) as source,
    b.* exclude (product_id, finish, source),
    a.* exclude (product_id, finish, source)
  from b
  full join a on a.product_id = b.product_id and a.finish = b.finish and a.source = b.source
)
select * exclude (old_figures, figures)
from (
  select *, row(*columns(named_before('source_figures'))) as old_figures, row(*columns(named('source_figures'))) as figures
  from figures
)
where old_figures is distinct from figures and product_id not in (from gone_or_new);

-- Live listings and the condition buckets of both kinds, by their common prefix.
create temp table depth_moves as
with live_before as (
  select product_id, finish, region, columns(named('live_figures')) as 'old_\1' from before.marketplace_prices
),
live_after as (select product_id, finish, region, columns(named('live_figures')) from after.marketplace_prices),
live_conditions_before as (
  select product_id, finish, region, condition, language, columns(named('live_condition_figures')) as 'old_\1'
  from before.marketplace_price_conditions
),
live_conditions_after as (
  select product_id, finish, region, condition, language, columns(named('live_condition_figures'))
  from after.marketplace_price_conditions
),
source_conditions_before as (
  select product_id, finish, source, condition, language, columns(named('source_condition_figures')) as 'old_\1'
  from before.source_price_conditions
),
source_conditions_after as (
  select product_id, finish, source, condition, language, columns(named('source_condition_figures'))
  from after.source_price_conditions
),
depths as (
  select
    coalesce(b.product_id, a.product_id) as product_id,
    coalesce(b.finish, a.finish) as finish,
    concat_ws('.', 'marketplace', coalesce(b.region, a.region)) as place,
    b.* exclude (product_id, finish, region),
    a.* exclude (product_id, finish, region)
  from live_before b
  full join live_after a
    on a.product_id = b.product_id and a.finish = b.finish and a.region is not distinct from b.region
  union all by name
  select
    coalesce(b.product_id, a.product_id) as product_id,
    coalesce(b.finish, a.finish) as finish,
    concat_ws('.', 'marketplace', coalesce(b.region, a.region), coalesce(b.condition, a.condition), coalesce(b.language, a.language)) as place,
    b.* exclude (product_id, finish, region, condition, language),
    a.* exclude (product_id, finish, region, condition, language)
  from live_conditions_before b
  full join live_conditions_after a
    on a.product_id = b.product_id and a.finish = b.finish and a.region = b.region and a.condition = b.condition
      and a.language is not distinct from b.language
  union all by name
  select
    coalesce(b.product_id, a.product_id) as product_id,
    coalesce(b.finish, a.finish) as finish,
    concat_ws('.', coalesce(b.source, a.source), coalesce(b.condition, a.condition), coalesce(b.language, a.language)) as place,
    b.* exclude (product_id, finish, source, condition, language),
    a.* exclude (product_id, finish, source, condition, language)
  from source_conditions_before b
  full join source_conditions_after a
    on a.product_id = b.product_id and a.finish = b.finish and a.source = b.source and a.condition = b.condition
      and a.language is not distinct from b.language
)
select * exclude (old_figures, figures)
from (
  select *, row(*columns(named_before('depth_figures'))) as old_figures, row(*columns(named('depth_figures'))) as figures
  from depths
)
where old_figures is distinct from figures and product_id not in (from gone_or_new);

create temp table block_moves as
select product_id, b.price_extra as old, a.price_extra as new
from (select product_id, price_extra from before.products where price_extra is not null) b
full join (select product_id, price_extra from after.products where price_extra is not null) a using (product_id)
where getvariable('compares_extra') = 'true' and b.price_extra is distinct from a.price_extra and product_id not in (from gone_or_new);

-- Removes trailing zeros: 14.9900 becomes 14.99, 100.0000 becomes 100.
create macro plain(amount) as rtrim(rtrim(amount::varchar, '0'), '.');

create macro shown(figure) as case when typeof(figure) like 'DECIMAL%' then plain(figure) else figure::varchar end;

create temp view price_changes as
with figures as (
  select
    product_id, finish, source as place,
    unnest(string_split(getvariable('source_figures'), '|')) as figure,
    unnest(list_value(*columns(named_before('source_figures')))) as old,
    unnest(list_value(*columns(named('source_figures')))) as new
  from (
    select
      product_id, finish, source,
      shown(columns(named_before('source_figures'))) as '\0',
      shown(columns(named('source_figures'))) as '\0'
    from source_moves
  )
  union all
  select
    product_id, finish, place,
    unnest(string_split(getvariable('depth_figures'), '|')),
    unnest(list_value(*columns(named_before('depth_figures')))),
    unnest(list_value(*columns(named('depth_figures'))))
  from (
    select
      product_id, finish, place,
      shown(columns(named_before('depth_figures'))) as '\0',
      shown(columns(named('depth_figures'))) as '\0'
    from depth_moves
  )
  union all
  select product_id, null, null, 'extra', old::varchar, new::varchar from block_moves
)
select product_id as id, concat_ws('.', 'prices', finish, place, figure) as field, old, new
from figures
where old is distinct from new;

create temp view changes as
select getvariable('game_id') as game_id, getvariable('from_snapshot') as from_snapshot, getvariable('to_snapshot') as to_snapshot, *
from (
  select entity, id, change, 'catalogue' as class, field, old, new from catalogue_changes
  union all
  select 'product', id, 'modified', 'price', field, old, new from price_changes
);
