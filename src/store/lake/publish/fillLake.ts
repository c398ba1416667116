import { basename } from "node:path"
import { Effect, Number } from "effect"
import { Home } from "../../home/Home.ts"
import { verifySummed, isThere } from "../../home/disk.ts"
import { type Session, sqlText, threadsFor } from "../duckdb/Lake.ts"
import { commentSql, type TableFile } from "../../../feed/schema/tableFile.ts"
import { feedRows, feedTables } from "../history/feed.ts"
import { publishHistory, publishQuestions, publishReadings } from "../history/publishHistory.ts"
import { snapshotTables } from "../../../feed/schema/snapshotTables.ts"
import { noRows, rowHash, snapshotRows, verifySnapshot } from "../snapshot/snapshotRows.ts"
import { fillLedgers, fillRuns, publishPublications, publishSources } from "./fillLedgers.ts"
import { lakeSnapshot, tableSection, type LakePlan, keepRecords, recordsIn, verifyChanges } from "./lakePlan.ts"
import { recordInputs } from "./madeFrom.ts"
import { makeSearch, publishSearch } from "../search/publishSearch.ts"
import { publishTrust } from "../trust/publishTrust.ts"
import { nightlyTables } from "../history/nightlyTables.ts"
import { ledgers, ratesTable, runsTable } from "../history/historyTables.ts"

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
  const mostRows = plan.live.map(({ manifest }) => Math.max(...Object.values(manifest.tables).map(({ rows }) => rows)))
  yield* threadsFor(session, Number.sumAll(mostRows))
  if (known.size === 0) yield* makeTables(session)
  const staleGames = findStale("game")
  const isKnown = (gameId: string) => lakeSnapshot(known, gameId) !== undefined && gameId in plan.current.games
  yield* fillGames(session, plan, {
    isKnown,
    staleIn: (table) => staleGames.filter((gameId) => isStale(tableSection(gameId, table)))
  })
  yield* fillChangelogs(session, plan, findStale("changelog"))
  if (isStale("ledgers")) yield* fillLedgers(session, plan.current)
  if (isStale("publications")) yield* publishPublications(session, plan.current)
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
  // A lake in a checked-out folder has one reader, the front, which leaves the search out.
  if ((yield* Home).place.address === null) yield* publishSearch(session, staleGames, isKnown)
  yield* publishTrust(session)
  const seen = (yield* recordsIn(session))?.changesSeen ?? new Map<string, string>()
  yield* keepRecords(session, {
    parts: plan.parts.map(({ part }) => part),
    changesSeen: yield* verifyChanges(plan.current, seen)
  })
  yield* recordInputs(session, plan.sections)
})

const makeTables = Effect.fnUntraced(function* (session: Session) {
  yield* session.run("Make a schema for the files", "create schema files")
  yield* makeSearch(session)
  for (const table of [...snapshotTables, ...ledgers, runsTable, ratesTable]) {
    const rows = withIsListed(table, noRows(table.columns))
    yield* session.run(`Make ${table.name}`, `create table ${table.name} as ${rows}; ${commentSql(table, "table")}`)
  }
})

/** Updates each table of the stale games: to all rows of a game that the lake did not have, else to those that differ. */
const fillGames = Effect.fnUntraced(function* (
  session: Session,
  { live }: LakePlan,
  of: { readonly staleIn: (table: string) => ReadonlyArray<string>; readonly isKnown: (gameId: string) => boolean }
) {
  // Includes games without news, so that damage is found tonight, not when the file is needed.
  yield* Effect.forEach(live, (one) => verifySnapshot(one), { discard: true })
  yield* session.run("Note what is touched", noneTouched)
  for (const table of ofSnapshots) {
    const has = (column: string) => table.columns.some(({ name }) => name === column)
    // Most prices move in a usual night.
    const isCompared = table.name === "expansions" || (has("product_id") && !has("is_listed"))
    for (const [games, isTouched] of [
      [of.staleIn(table.name).filter((gameId) => isCompared && of.isKnown(gameId)), true],
      [of.staleIn(table.name).filter((gameId) => !(isCompared && of.isKnown(gameId))), false]
    ] as const) {
      if (games.length === 0) continue
      const snapshots = live.filter(({ manifest }) => games.includes(manifest.gameId))
      const rows = snapshots.length === 0 ? null : yield* snapshotRows(snapshots, table.name)
      yield* isTouched && rows !== null
        ? session.run(`Publish what is touched of ${table.name}`, replaceTouched(table, games, rows))
        : replaceRows(session, table, { games, rows })
    }
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

const listGames = (games: ReadonlyArray<string>): string => `game_id in (${games.map(sqlText).join(", ")})`

const noneTouched = "create or replace temporary table touched_products (game_id varchar, product_id bigint)"

/**
 * Returns SQL that replaces the rows of products, or expansions, of which any row differs, and adds these products to
 * `touched_products`. If they are more than a fifth of a game, all its rows are replaced, so that they are in order.
 */
const replaceTouched = ({ columns, name }: TableFile, games: ReadonlyArray<string>, rows: string): string => {
  const id = name === "expansions" ? "expansion_id" : "product_id"
  const marked = (from: string, side: number) =>
    `select game_id, ${id}, ${rowHash(columns)} as mark, ${side} as side from ${from}`
  const isOfThem = `(game_id, ${id}) in (from touched)`
  return [
    `create or replace temporary table touched as
     select distinct game_id, ${id} from (
       ${marked(`${name} where ${listGames(games)}`, 1)} union all ${marked(`(${rows})`, -1)}
     ) group by game_id, ${id}, mark having sum(side) <> 0`,
    `insert into touched select distinct game_id, ${id} from (${rows}) where game_id in (
       select t.game_id from touched t group by t.game_id
       having 5 * count(*) > (select count(distinct ${id}) from ${name} n where n.game_id = t.game_id)
     )`,
    `delete from ${name} where ${isOfThem}`,
    `insert into ${name} by name from (${rows}) where ${isOfThem}`,
    `insert into touched_products select game_id, product_id from ${id === "product_id" ? "touched" : "products semi join touched using (game_id, expansion_id)"}`
  ].join(";\n")
}

/** Replaces the rows of some games in a table; `rows` is SQL, null for none. */
const replaceRows = (
  session: Session,
  table: TableFile,
  { games, rows }: { readonly games: ReadonlyArray<string>; readonly rows: string | null }
) => {
  const deleted = `delete from ${table.name} where ${listGames(games)}`
  const come = rows === null ? "" : `insert into ${table.name} by name ${withIsListed(table, rows)}`
  return session.run(`Publish ${table.name}`, `${deleted}; ${come}`)
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
  const verified = Effect.tapError(verifySummed(rates), ({ message }) => Effect.logWarning(message))
  const isWhole = (yield* Effect.isSuccess(verified)) && isThere(rates)
  const come = `insert into fx_rates by name from read_parquet(${sqlText(rates)}, hive_partitioning = false)`
  yield* session.run("Publish fx_rates", `delete from fx_rates; ${isWhole ? come : ""}`)
})
