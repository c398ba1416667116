-- refusals: records the contract rejects, the first 25,000 of a reading; they are kept here and in no other table
-- grain:  one row per (game_id, page, position)
-- reads:  variable refusal_file
-- checks: (game_id, page, position) is unique; reason is not null
-- columns:
--   game_id varchar: the game's id
--   list varchar: games, expansions, products or changelog
--   page varchar: raw page that holds the record, relative to the reading's folder
--   position integer: place in the page, from 0
--   record_id varchar: the record's id as text; null = it has none
--   path varchar: the field at fault, as pricesByFinish.Foil.sourceEur.low
--   reason varchar: what is wrong with it
--   record varchar: the record as JSON text, cut after a million characters
create view refusals as
select
  getvariable('game_id') as game_id,
  kind as list,
  page,
  "index" as position,
  id as record_id,
  path,
  reason,
  raw as record
from read_json(getvariable('refusal_file'), format = 'newline_delimited', maximum_object_size = getvariable('page_bytes'),
  columns = {kind: 'varchar', page: 'varchar', "index": 'integer', id: 'varchar', path: 'varchar', reason: 'varchar', raw: 'varchar'})
order by list, page, position;
