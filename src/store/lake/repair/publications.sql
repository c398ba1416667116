-- Table publications of a lake as a JSON list, in the form of current.json. at is a keyword of DuckDB.
select to_json(list({
  sequence: sequence, run: run_id, kind: kind, gameId: game_id, snapshot: to_snapshot, deploymentId: deployment_id,
  "at": strftime(published_at, '%Y-%m-%dT%H:%M:%S.%gZ'), why: why, backfill: backfill
} order by sequence, game_id)) as found from publications
