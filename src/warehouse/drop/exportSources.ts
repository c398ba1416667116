import { Effect } from "effect"
import { readCurrent, Home } from "../../store/home/Home.ts"
import { type Session, scratchSession } from "../../store/lake/duckdb/Lake.ts"
import { nightsOf } from "../../store/lake/history/nights.ts"
import { publishNights, publishReadings } from "../../store/lake/history/publishHistory.ts"
import { fillRuns, publishSources } from "../../store/lake/publish/fillLedgers.ts"
import { lakeMadeFrom } from "../../store/lake/publish/madeFrom.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { runsTable } from "../../store/lake/publish/publishedTables.ts"
import { noRows } from "../../store/lake/snapshot/snapshotRows.ts"
import type { Destination } from "../destination/Destination.ts"
import { allGames, DropState, readDocument, stateFile } from "./Drop.ts"
import { dropSources } from "./exportTables.ts"
import { type ExportForAll, firstDayOf, placeForAll } from "./placeForAll.ts"

/** Copies the names out of the lake; false if there is none, or another release built it. */
const copied = (session: Session) =>
  Effect.gen(function* () {
    if ((yield* lakeMadeFrom(yield* openLake)).size === 0) return false
    yield* session.run("Copy the names of the sources", "create table price_sources as from lake.price_sources")
    return true
  }).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(false))
  )

/** Makes them from the nights and reports, where there is no lake. */
const made = Effect.fnUntraced(function* (session: Session) {
  const current = yield* readCurrent
  const games = Object.keys(current.games).sort()
  yield* publishNights(session, (yield* Effect.forEach(games, (gameId) => nightsOf(current, gameId))).flat())
  yield* session.run("Make room for the runs", `create table ${runsTable.name} as ${noRows(runsTable.columns)}`)
  yield* fillRuns(session)
  yield* publishReadings(session, games)
  yield* publishSources(session)
  return true
})

/**
 * Writes what people call the sources, in one partition that stays under its day, so that whoever loads the drop has
 * each source once; where the lake cannot say it, the drop stays as it is.
 */
export const exportSources = Effect.fn("exportSources")(function* (to: Destination, wanted: ExportForAll) {
  const session = yield* scratchSession
  const state = yield* readDocument(to, stateFile(allGames), DropState)
  const known = Object.entries(state?.days ?? {}).find(([, { tables }]) => dropSources.name in tables)
  const dt = known?.[0] ?? (yield* firstDayOf(to, wanted.games))
  if (dt === null || !(yield* (yield* Home).place.buildsLake ? copied(session) : made(session)))
    return yield* placeForAll(session, to, wanted, [])
  const madeFrom = yield* session.rows("Ask for the names of the sources", dropSources.query)
  return yield* placeForAll(session, to, wanted, [{ dt, madeFrom, rows: dropSources.query }])
}, Effect.scoped)
