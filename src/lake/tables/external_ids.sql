-- external_ids: ids of a product in other systems
-- grain:  one row per (game_id, product_id, system, position)
-- reads:  raw_products
-- checks: (game_id, product_id, system, position) is unique; external_id is not null
-- columns:
--   game_id varchar: the game's id
--   product_id bigint: the product's id
--   system varchar: the contract's key: sourceEur, sourceUsd, mtgId, mtgOracleId, konamiStyleId, lorcanaId, fabId, riftboundId
--   position integer: place in the feed's list, from 1; 1 for systems with one id a product
--   finish varchar: finish the id stands for; null = the id has none
--   external_id varchar: the id as text; one id may cover several products and several finishes
create view external_ids as
with entries as (
  select id as product_id, 'sourceEur' as system, "externalIds"."sourceEur" as ids
  from raw_products where len("externalIds"."sourceEur") > 0
  union all
  select id, 'sourceUsd', "externalIds"."sourceUsd"
  from raw_products where len("externalIds"."sourceUsd") > 0
),
by_finish as (
  select product_id, system, unnest(range(1, len(ids) + 1))::integer as position, unnest(ids) as entry
  from entries
),
single as (
  select id as product_id, 'mtgId' as system, "externalIds"."mtgId" as external_id from raw_products
  union all
  select id, 'mtgOracleId', "externalIds"."mtgOracleId" from raw_products
  union all
  select id, 'konamiStyleId', "externalIds"."konamiStyleId" from raw_products
  union all
  select id, 'lorcanaId', "externalIds"."lorcanaId" from raw_products
  union all
  select id, 'fabId', "externalIds"."fabId" from raw_products
  union all
  select id, 'riftboundId', "externalIds"."riftboundId" from raw_products
)
select getvariable('game_id') as game_id, * from (
  select product_id, system, position, entry.finish as finish, entry.id::varchar as external_id from by_finish
  union all
  select product_id, system, 1, null, external_id from single where external_id is not null
)
order by product_id, system, position;
