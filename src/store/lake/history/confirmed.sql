-- The nights that found nothing new, by the confirmations of deleted reports (variable confirmations, a JSON list) and by table runs.
create or replace temporary table confirmed as
select c."gameId" as game_id, c.snapshot as snapshot, c."seenAt" as seen_at, c.dialect as dialect
from (
  select unnest(from_json(getvariable('confirmations'), '[{
    "gameId": "varchar", "snapshot": "varchar", "seenAt": "timestamptz", "dialect": "varchar"
  }]')) as c
)
union all
select game_id, snapshot, started_at, dialect from runs where verdict = 'unchanged';
