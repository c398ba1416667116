import { Effect } from "effect"
import { isThere } from "../../store/home/disk.ts"
import { Home, readCurrent } from "../../store/home/Home.ts"
import { verifySummed } from "../../store/home/verifyFile.ts"
import { scratchSession, sqlText, type Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination } from "../destination/Destination.ts"
import { dayNumber, dayText } from "./days.ts"
import { dropRates, dropSources } from "./exportTables.ts"
import { type ExportForAll, firstDayOf, placeForAll } from "./placeForAll.ts"
import { nightsOf } from "../../store/lake/history/nights.ts"
import { publishNights, publishReadings } from "../../store/lake/history/publishHistory.ts"
import { fillRuns, publishSources } from "../../store/lake/publish/fillLedgers.ts"
import { lakeMadeFrom } from "../../store/lake/publish/madeFrom.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { runsTable } from "../../store/lake/publish/publishedTables.ts"
import { noRows } from "../../store/lake/snapshot/snapshotRows.ts"
import { allGames, DropState, readDocument, stateFile } from "./Drop.ts"

/** A rate also applies on the days without one after it, six at most. */
const daysBefore = 6

/** Whether the home has rates that can be read; damaged ones stay as they are in the drop. */
const hasRates = Effect.flatMap(Home, ({ rates }) =>
  Effect.matchEffect(verifySummed(rates), {
    onSuccess: () => Effect.succeed(isThere(rates)),
    onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
  })
)

/**
 * Adds the rates of the drop's days, and replaces days whose rates the bank has corrected. None is ever taken back, and
 * rates that were loaded again are not written again.
 */
export const exportRates = Effect.fn("exportRates")(function* (to: Destination, wanted: ExportForAll) {
  const { games, until } = wanted
  const session = yield* scratchSession
  const day = yield* firstDayOf(to, games)
  if (day === null || !(yield* hasRates)) return yield* placeForAll(session, to, wanted, [])
  const first = dayText(dayNumber(day) - daysBefore)
  yield* session.set({ rates_file: (yield* Home).rates })
  const days = yield* session.rows(
    "Ask for the exchange rates",
    `select day::varchar as dt, string_agg(currency || ' ' || rate, ',' order by currency) as rates
     from (${dropRates.query}) where day >= ${sqlText(first)}::date and (${until === null ? "true" : `day <= ${sqlText(until)}::date`})
     group by day order by day`
  )
  return yield* placeForAll(
    session,
    to,
    wanted,
    days.map((row) => {
      const dt = String(row["dt"])
      return { dt, madeFrom: row["rates"], rows: `from (${dropRates.query}) where day = ${sqlText(dt)}::date` }
    })
  )
}, Effect.scoped)

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
