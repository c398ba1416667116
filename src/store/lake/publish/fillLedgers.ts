import { join } from "node:path"
import { Effect, Result } from "effect"
import { Home, type Current } from "../../home/Home.ts"
import { runsWithReport, readableRuns } from "../../home/newRunId.ts"
import type { Session } from "../duckdb/Lake.ts"
import { commentSql, type TableFile } from "../../../feed/schema/tableFile.ts"
import { noRows } from "../snapshot/snapshotRows.ts"
import { readSnapshot } from "../../home/Manifest.ts"
import { listPublications } from "../sequence/publications.ts"
import { ledgers, publicationsTable, runsTable, sourcesTable } from "../history/historyTables.ts"
import { dialects } from "../../../feed/contract/dialect/dialects.ts"

/** Adds new manifests to tables `snapshots` and `quality_checks`; warns about an unreadable one and omits it. */
export const fillLedgers = Effect.fn("fillLedgers")(function* (session: Session, current: Current) {
  const home = yield* Home
  const games = Object.entries(current.games)
  const known = new Set(
    (yield* session.rows("List the known snapshots", "select game_id || '/' || snapshot as id from snapshots")).map(
      ({ id }) => String(id)
    )
  )
  const published = games.flatMap(([gameId, game]) => game.published.map((snapshot) => ({ gameId, snapshot })))
  const files: Array<string> = []
  for (const { gameId, snapshot } of published.filter((one) => !known.has(`${one.gameId}/${one.snapshot}`))) {
    const read = yield* Effect.result(readSnapshot(home.snapshot(gameId, snapshot)))
    if (Result.isSuccess(read)) files.push(join(read.success.folder, "manifest.json"))
    else yield* Effect.logWarning(read.failure.message)
  }
  yield* session.set({
    manifest_files: files,
    published_snapshots: published.map(({ gameId, snapshot }) => `${gameId}/${snapshot}`),
    current_snapshots: games.map(([gameId, game]) => `${gameId}/${game.snapshot}`)
  })
  const stays = "list_contains(getvariable('published_snapshots'), game_id || '/' || snapshot)"
  for (const table of ledgers) yield* goOn(session, table, { stays, files })
  yield* session.run(
    "Mark the current snapshots",
    "update snapshots set is_current = list_contains(getvariable('current_snapshots'), game_id || '/' || snapshot)"
  )
})

export const publishPublications = Effect.fnUntraced(function* (session: Session, current: Current) {
  yield* session.set({ publications: JSON.stringify(listPublications(current)) })
  yield* session.run("Publish publications", `${publicationsTable.sql}; ${commentSql(publicationsTable, "table")}`)
})

/** Adds new reports to table `runs` and replaces the last one, which was read before its run had ended. */
export const fillRuns = Effect.fn("fillRuns")(function* (session: Session) {
  const home = yield* Home
  const known = (yield* session.rows("List the known runs", "select distinct run_id from runs order by run_id")).map(
    (row) => String(row["run_id"])
  )
  const last = known.at(-1)
  const there = yield* runsWithReport
  const fresh = yield* readableRuns(there.filter((run) => run === last || !known.includes(run)))
  const files = fresh.map((run) => home.run(run))
  yield* session.set({ run_files: files, known_runs: there.filter((run) => !fresh.includes(run)) })
  yield* goOn(session, runsTable, { stays: "list_contains(getvariable('known_runs'), run_id)", files })
})

/** Adds the rows of files to those that meet the condition `stays`. */
const goOn = (
  session: Session,
  table: TableFile,
  { files, stays }: { readonly stays: string; readonly files: ReadonlyArray<string> }
) => {
  const { columns, grain, name, sql } = table
  return session.run(
    `Publish ${name}`,
    `create or replace table ${name} as
     from (from ${name} where ${stays} union all by name (${files.length === 0 ? noRows(columns) : sql}))
     order by ${grain.slice(1, -1)};
     ${commentSql(table, "table")}`
  )
}

const known = Object.entries(dialects).flatMap(([dialect, { sources }]) =>
  Object.entries(sources).map(([source, { currency, title, url }]) => ({ dialect, source, currency, title, url }))
)

/** Creates table `price_sources` at every publication, because even a reading without news can change it. */
export const publishSources = Effect.fnUntraced(function* (session: Session) {
  yield* session.set({ known_sources: JSON.stringify(known) })
  yield* session.run("Publish price_sources", `${sourcesTable.sql}; ${commentSql(sourcesTable, "table")}`)
})
