-- The newest runs' results for every game, newest first. Runs that published nothing are not in the lake, so this reads their reports.
-- reads: $files (run reports of the home)
select run as run_id, coalesce(kind, 'nightly') as kind, why, "startedAt" as started_at, g."gameId" as game_id, g.verdict as verdict,
  g.reason as reason, g.snapshot as snapshot, g.products as products, g.changes.products.added as added,
  g.changes.products."modifiedCatalogue" as modified, g.changes.products.removed as removed,
  g.changes.products."modifiedPrice" as repriced, g.seconds as seconds
from (
  select run, kind, why, "startedAt", unnest(games) as g
  from read_json($files, columns = {
    run: 'varchar', kind: 'varchar', why: 'varchar', "startedAt": 'timestamptz',
    games: 'struct("gameId" varchar, verdict varchar, reason varchar, snapshot varchar, products bigint, changes struct(products struct(added bigint, removed bigint, "modifiedCatalogue" bigint, "modifiedPrice" bigint)), seconds double)[]'
  })
)
order by run_id desc, game_id;
