-- publications: what was published of each game, in the order of the home's numbers; cardlake changes prints what each changed
-- grain:  one row per (sequence, game_id)
-- reads:  variable publications (a JSON list)
-- columns:
--   sequence bigint: the publication's number in the home, from 1; games that were published together share it
--   game_id varchar: the game's id
--   kind varchar: nightly, release, rollback, replay (a snapshot read again), backfill (only past prices were added) or repair (a repair chose the current snapshot)
--   published_at timestamptz: UTC, by our clock; a clock can be wrong, so sequence alone gives the order
--   from_snapshot varchar: the snapshot that was current before; null = none
--   to_snapshot varchar: the snapshot that is current since; the same as before if only the history changed
--   deployment_id varchar: newest deployment at the reading of to_snapshot; null = the changelog was empty
--   run_id varchar: the run that published it
--   why varchar: the person's reason; null = none given
--   backfill json: JSON object of what a backfill added: answers, products, prices, days, firstDay and lastDay; null = nothing
create or replace table publications as
select
  sequence, "gameId" as game_id, kind, try_cast("at" as timestamptz) as published_at, "from" as from_snapshot,
  "to" as to_snapshot, "deploymentId" as deployment_id, run as run_id, why, backfill
from (
  select unnest(from_json(getvariable('publications'), '[{
    "sequence": "bigint", "gameId": "varchar", "kind": "varchar", "at": "varchar", "from": "varchar", "to": "varchar",
    "deploymentId": "varchar", "run": "varchar", "why": "varchar", "backfill": "json"
  }]'), recursive := true)
)
order by sequence, game_id;
