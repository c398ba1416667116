import { basename } from "node:path"
import { Effect, Result } from "effect"
import { Home } from "../../home/Home.ts"
import { verifySummed } from "../../home/verifyFile.ts"
import { type Session, sqlText } from "../duckdb/Lake.ts"
import { threadsFor } from "../duckdb/threadsAndMemory.ts"
import { commentSql, type TableFile } from "../../../feed/schema/tableFile.ts"
import { feedRows, feedTables } from "../history/feed.ts"
import { publishHistory, publishQuestions, publishReadings } from "../history/publishHistory.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { noRows, snapshotRows } from "../snapshot/snapshotRows.ts"
import { verifySnapshot } from "../snapshot/snapshotFiles.ts"
import { fillLedgers, fillRuns, publishSources } from "./fillLedgers.ts"
import { snapshotOf, tableSection, type LakePlan } from "./lakePlan.ts"
import { recordInputs } from "./madeFrom.ts"
import { makeSearch, publishSearch, type LastVersions } from "../search/publishSearch.ts"
import { nightlyTables } from "../history/nightlyTables.ts"
import { ledgers, ratesTable, runsTable } from "./publishedTables.ts"
import { keepRecords, recordsIn, verifyChanges } from "./lakeRecords.ts"
import { isThere } from "../../home/disk.ts"
import { type Manifest, readSnapshot } from "../../home/Manifest.ts"

/** True if both were read alike, so that fields without versions are equal, too. */
const areAlike = (one: Manifest, other: Manifest): boolean =>
  one.contractVersion === other.contractVersion &&
  (one.via ?? "pages") === (other.via ?? "pages") &&
  (one.dialect ?? "spec") === (other.dialect ?? "spec")

/**
 * Returns the last versions of games that are one night ahead of `had`, the lake's snapshots; untouched products keep
 * their search rows. Games not in the result are read completely.
 */
const lastTouched = Effect.fnUntraced(function* (
  { live, nights }: LakePlan,
  had: (gameId: string) => string | undefined
) {
  const home = yield* Home
  const found = new Map<string, LastVersions>()
  for (const { manifest } of live) {
    const { gameId, snapshot } = manifest
    const night = nights.findLast((one) => one.gameId === gameId)
    if (night?.snapshot !== snapshot || night.follows === null || night.follows !== had(gameId)) continue
    const before = yield* Effect.result(readSnapshot(home.snapshot(gameId, night.follows)))
    const [products, expansions] = [night.file("product_versions.parquet"), night.file("expansion_versions.parquet")]
    if (Result.isFailure(before) || products === null || expansions === null) continue
    if (areAlike(before.success.manifest, manifest)) found.set(gameId, { products, expansions })
  }
  return found
})

const ofSnapshots = snapshotTables.filter((table) => !feedTables.includes(table))

/**
 * Updates the open lake to the plan: rebuilds sections whose inputs changed (all if `known` is empty), and adds new
 * runs and readings.
 */
export const fillLake = Effect.fn("fillLake")(function* (
  session: Session,
  plan: LakePlan,
  known: ReadonlyMap<string, string>
) {
  const isStale = (section: string) => known.get(section) !== plan.sections.get(section)
  const all = new Set([...known.keys(), ...plan.sections.keys()])
  const findStale = (kind: string) =>
    [...all].flatMap((section) =>
      section.startsWith(`${kind} `) && isStale(section) ? [section.slice(kind.length + 1)] : []
    )
  yield* threadsFor(session, countMaxRows(plan.live))
  if (known.size === 0) yield* makeTables(session)
  const staleGames = findStale("game")
  yield* fillGames(session, plan, (table) => staleGames.filter((gameId) => isStale(tableSection(gameId, table))))
  yield* fillChangelogs(session, plan, findStale("changelog"))
  if (isStale("ledgers")) yield* fillLedgers(session, plan.current)
  yield* fillRuns(session)
  if (isStale("changes")) {
    for (const table of nightlyTables) {
      const rows = plan.nightly.get(table.name) ?? noRows(table.columns)
      const view = `create or replace view ${table.name} as ${rows}`
      yield* session.run(`Publish ${table.name}`, `${view}; ${commentSql(table, "view")}`)
    }
  }
  if (isStale("rates")) yield* fillRates(session)
  if (isStale("history")) yield* publishHistory(session, plan.nights, plan.files)
  yield* publishReadings(session, Object.keys(plan.current.games).sort())
  yield* publishSources(session)
  if (known.size === 0) yield* publishQuestions(session)
  yield* publishSearch(session, staleGames, yield* lastTouched(plan, (gameId) => snapshotOf(known, gameId)))
  const seen = (yield* recordsIn(session))?.changesSeen ?? new Map<string, string>()
  yield* keepRecords(session, {
    parts: plan.parts.map(({ part }) => part),
    changesSeen: yield* verifyChanges(plan.current, seen)
  })
  yield* recordInputs(session, plan.sections)
})

/** Returns the row count of the largest tables of these snapshots. */
const countMaxRows = (live: LakePlan["live"]): number =>
  live.reduce((sum, { manifest }) => sum + Math.max(...Object.values(manifest.tables).map(({ rows }) => rows)), 0)

const makeTables = Effect.fnUntraced(function* (session: Session) {
  yield* session.run("Make a schema for the files", "create schema files")
  yield* makeSearch(session)
  for (const table of [...snapshotTables, ...ledgers, runsTable, ratesTable]) {
    const rows = withIsListed(table, noRows(table.columns))
    yield* session.run(`Make ${table.name}`, `create table ${table.name} as ${rows}; ${commentSql(table, "table")}`)
  }
})

/** Replaces the rows of stale games in each table by the published ones. */
const fillGames = Effect.fnUntraced(function* (
  session: Session,
  { live }: LakePlan,
  staleIn: (table: string) => ReadonlyArray<string>
) {
  // Includes games without news, so that damage is found tonight, not when the file is needed.
  yield* Effect.forEach(live, verifySnapshot, { discard: true })
  for (const table of ofSnapshots) {
    const games = staleIn(table.name)
    if (games.length === 0) continue
    const snapshots = live.filter(({ manifest }) => games.includes(manifest.gameId))
    const rows = snapshots.length === 0 ? null : yield* snapshotRows(snapshots, table.name)
    yield* replaceRows(session, table, { games, rows })
  }
})

const fillChangelogs = Effect.fnUntraced(function* (session: Session, plan: LakePlan, games: ReadonlyArray<string>) {
  const files = games.flatMap((gameId) => plan.changelogs.get(gameId) ?? []).filter((file) => isThere(file))
  yield* Effect.forEach(files, verifySummed, { discard: true })
  for (const table of games.length === 0 ? [] : feedTables) {
    const own = files.filter((file) => basename(file) === `${table.name}.parquet`)
    yield* replaceRows(session, table, { games, rows: own.length === 0 ? null : feedRows(table, own) })
  }
})

/** New rows of some games in a table; `rows` is SQL, null for none. */
interface RowsOfGames {
  readonly games: ReadonlyArray<string>
  readonly rows: string | null
}

const replaceRows = (session: Session, table: TableFile, { games, rows }: RowsOfGames) => {
  const gone = `delete from ${table.name} where game_id in (${games.map(sqlText).join(", ")})`
  const come = rows === null ? "" : `insert into ${table.name} by name ${withIsListed(table, rows)}`
  return session.run(`Publish ${table.name}`, `${gone}; ${come}`)
}

/** Adds to price rows whether the product lists the finish; needs table `product_finishes`. */
export const withIsListed = ({ columns }: TableFile, rows: string): string =>
  columns.some(({ name }) => name === "is_listed")
    ? `select *, (game_id, product_id, finish) in (select game_id, product_id, finish from product_finishes) as is_listed
       from (${rows})`
    : rows

/** Loads the exchange rates; warns about damaged ones and omits them. */
const fillRates = Effect.fnUntraced(function* (session: Session) {
  const { rates } = yield* Home
  const isWhole = yield* Effect.matchEffect(verifySummed(rates), {
    onSuccess: () => Effect.succeed(isThere(rates)),
    onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
  })
  const come = `insert into fx_rates by name from read_parquet(${sqlText(rates)}, hive_partitioning = false)`
  yield* session.run("Publish fx_rates", `delete from fx_rates; ${isWhole ? come : ""}`)
})
