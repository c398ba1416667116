-- runs: result of every run for every game
-- grain:  one row per (run_id, game_id)
-- reads:  variable run_files
-- columns:
--   run_id varchar: the run; run ids sort by time
--   kind varchar: nightly, release, rollback or replay
--   why varchar: the person's reason for a release, rollback or replay; null = none given
--   started_at timestamptz: UTC
--   game_id varchar: the game's id
--   verdict varchar: published, unchanged, missing (the marketplace no longer lists the game), held or failed
--   reason varchar: reason if it was missing, held or failed; null = none of them
--   deployment_id varchar: newest deployment at the reading; null = not read
--   dialect varchar: dialect of the feed (its field names): spec, live or live-july; null = not read completely, or read by a release that only knew spec
--   snapshot varchar: published snapshot after the run; null = none
--   products bigint: accepted products; null = not read
--   expansions bigint: accepted expansions; null = not read
--   refused bigint: records that the contract refused; null = not read
--   seconds double: time spent on the game
select
  run as run_id,
  coalesce(kind, 'nightly') as kind,
  why,
  "startedAt" as started_at,
  g."gameId" as game_id,
  g.verdict as verdict,
  g.reason as reason,
  g."deploymentId" as deployment_id,
  g.dialect as dialect,
  g.snapshot as snapshot,
  g.products as products,
  g.expansions as expansions,
  g.refused as refused,
  g.seconds as seconds
from (
  select run, kind, why, "startedAt", unnest(games) as g
  from read_json(getvariable('run_files'), columns = {
    run: 'varchar', kind: 'varchar', why: 'varchar', "startedAt": 'timestamptz',
    games: 'struct("gameId" varchar, verdict varchar, reason varchar, "deploymentId" varchar, dialect varchar, snapshot varchar, products bigint, expansions bigint, refused bigint, seconds double)[]'
  })
)
