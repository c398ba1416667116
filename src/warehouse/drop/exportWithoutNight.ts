import { Effect } from "effect"
import { hash } from "node:crypto"
import { type Session, scratchSession, sqlText } from "../../store/lake/duckdb/Lake.ts"
import type { Destination, DestinationFailed } from "../destination/Destination.ts"
import {
  type DropState,
  allGames,
  isRewritten,
  isUnsure,
  withPlanned,
  withTables,
  readState,
  writeState
} from "./Drop.ts"
import { type ExportTable, dropRates, dropSources, pastTables } from "./exportTables.ts"
import type { ExportedGame, LeftAlone, WrittenPartition, GameExport } from "./exportGame.ts"
import { stagePartition } from "./stagePartition.ts"
import { isThere, verifySummed } from "../../store/home/disk.ts"
import { Home, readCurrent } from "../../store/home/Home.ts"
import { dayNumber, dayText } from "./days.ts"
import { listNights } from "../../store/lake/history/nights.ts"
import { publishNights, publishReadings } from "../../store/lake/history/publishHistory.ts"
import { fillRuns, publishSources } from "../../store/lake/publish/fillLedgers.ts"
import { lakeMadeFrom } from "../../store/lake/publish/madeFrom.ts"
import { openLake } from "../../store/lake/publish/openLake.ts"
import { runsTable } from "../../store/lake/history/historyTables.ts"
import { noRows } from "../../store/lake/snapshot/snapshotRows.ts"
import { join } from "node:path"
import { listBackfillParts } from "../../store/home/backfill/backfillLedger.ts"
import { download } from "../../feed/reading/RemoteFiles.ts"
import { partsSql, backfillTables } from "../../store/lake/backfill/backfillFiles.ts"
import type { Span } from "./planDays.ts"

/** The inputs of the export of a table whose rows belong to no night. */
export interface ExportForAll extends Pick<GameExport, "format" | "keptAs" | "placing" | "stage" | "sweep"> {
  readonly games: ReadonlyArray<string>
  readonly table: ExportTable
  readonly contract: Effect.Effect<void, DestinationFailed>
  /** The last day; null = no limit. */
  readonly until: string | null
}

/** The rows of such a table for a day. */
export interface DayForAll {
  readonly dt: string
  /** The inputs of the rows; equal inputs make equal rows. */
  readonly madeFrom: unknown
  readonly rows: string
}

/** Returns the first day in the export of any of these games; null = it has none. */
export const findFirstDay = Effect.fnUntraced(function* (to: Destination, games: ReadonlyArray<string>) {
  const states = yield* Effect.forEach(games, (gameId) => readState(to, gameId))
  return states.flatMap((state) => Object.keys(state?.days ?? {})).sort()[0] ?? null
})

/** Writes the days that differ from the export, and records them in the state of `_all` or of the game. */
export const placeForAll = Effect.fnUntraced(function* (
  session: Session,
  to: Destination,
  { contract, format, keptAs, placing, stage, sweep, table }: Omit<ExportForAll, "games" | "until">,
  days: ReadonlyArray<DayForAll>,
  owner: string = allGames
) {
  const partitions: Array<WrittenPartition> = []
  const leftAlone: Array<LeftAlone> = []
  if (days.length > 0) yield* contract
  let state: DropState = (yield* readState(to, owner)) ?? { days: {} }
  const place = Effect.fnUntraced(function* ({ dt, rows }: DayForAll, isDamaged: boolean) {
    const selects = [{ snapshot: null, seenAt: `${dt}T00:00:00.000Z`, sql: rows, sortedFile: null }]
    const about = { table, gameId: owner, dt, nights: [], expectedRows: null, isFromHistory: false }
    const partition = yield* stagePartition(session, { ...format, stage }, { ...about, selects, isDamaged })
    const did = yield* placing.place(session, partition)
    yield* placing.commitDay
    partitions.push({ table: table.name, dt, rows: partition.rows, bytes: partition.bytes, did, isFromHistory: false })
  })
  const placeAll = Effect.gen(function* () {
    for (const day of days) {
      const had = state.days[day.dt]?.tables[table.name]
      const made = hash("sha256", JSON.stringify([table.version, day.madeFrom]), "hex").slice(0, 16)
      if (had === made) continue
      state = withPlanned(state, day.dt, [table.name])
      yield* writeState(to, owner, state)
      yield* place(day, isRewritten(had, keptAs))
      if (isUnsure(had)) yield* sweep(table, owner, day.dt)
      state = withTables(state, day.dt, { [table.name]: made })
      yield* writeState(to, owner, state)
    }
  })
  yield* Effect.catchTag(placeAll, "TableUnfit", ({ message }) =>
    Effect.sync(() => leftAlone.push({ table: table.name, reason: message }))
  )
  return { gameId: owner, partitions, notKept: [], prunedNights: [], leftAlone } satisfies ExportedGame
})

/** The maximum number of days without a rate after one, to which that rate still applies. */
const daysBefore = 6

/** True if the home has readable rates; otherwise the rates in the export stay unchanged. */
const hasRates = Effect.flatMap(Home, ({ rates }) =>
  Effect.matchEffect(verifySummed(rates), {
    onSuccess: () => Effect.succeed(isThere(rates)),
    onFailure: ({ message }) => Effect.as(Effect.logWarning(message), false)
  })
)

/** Adds rates of the export's days, and corrected ones. Removes none; a reload rewrites nothing unchanged. */
export const exportRates = Effect.fn("exportRates")(function* (to: Destination, wanted: ExportForAll) {
  const { games, until } = wanted
  const session = yield* scratchSession
  const day = yield* findFirstDay(to, games)
  if (day === null || !(yield* hasRates)) return yield* placeForAll(session, to, wanted, [])
  const first = dayText(dayNumber(day) - daysBefore)
  yield* session.set({ rates_file: (yield* Home).rates })
  const days = yield* session.rows(
    "Read the exchange rates",
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

/** Copies the names from the lake; false if it has none, or another release built it. */
const copied = (session: Session) =>
  Effect.gen(function* () {
    if ((yield* lakeMadeFrom(yield* openLake)).size === 0) return false
    yield* session.run("Copy the names of the sources", "create table price_sources as from lake.price_sources")
    return true
  }).pipe(
    Effect.scoped,
    Effect.catchTag(["LakeError", "NoLake"], () => Effect.succeed(false))
  )

/** Builds the names from the nights and reports if there is no lake. */
const made = Effect.fnUntraced(function* (session: Session) {
  const current = yield* readCurrent
  const games = Object.keys(current.games).sort()
  yield* publishNights(session, (yield* Effect.forEach(games, (gameId) => listNights(current, gameId))).flat())
  yield* session.run("Create an empty table of runs", `create table ${runsTable.name} as ${noRows(runsTable.columns)}`)
  yield* fillRuns(session)
  yield* publishReadings(session, games)
  yield* publishSources(session)
  return true
})

/** Writes the sources' names in one partition of a fixed day, so each loads once. Nothing if there are none. */
export const exportSources = Effect.fn("exportSources")(function* (to: Destination, wanted: ExportForAll) {
  const session = yield* scratchSession
  const state = yield* readState(to, allGames)
  const known = Object.entries(state?.days ?? {}).find(([, { tables }]) => dropSources.name in tables)
  const dt = known?.[0] ?? (yield* findFirstDay(to, wanted.games))
  if (dt === null || !(yield* (yield* Home).place.buildsLake ? copied(session) : made(session)))
    return yield* placeForAll(session, to, wanted, [])
  const madeFrom = yield* session.rows("Read the names of the sources", dropSources.query)
  return yield* placeForAll(session, to, wanted, [{ dt, madeFrom, rows: dropSources.query }])
}, Effect.scoped)

/** Checksums that detect changed rows of a day. Rows may be added, or requested again after a loss. */
const sums: Readonly<Record<string, string>> = {
  backfilled_prices: "sum(low), sum(mid), sum(high), sum(market_value)",
  backfills: "sum(prices), sum(refused), max(asked_at)",
  backfill_refusals: "sum(position), min(reason), max(reason)"
}

const exportedDays = (state: DropState | null, name: string): ReadonlyArray<string> =>
  Object.entries(state?.days ?? {})
    .flatMap(([dt, { tables }]) => (name in tables ? [dt] : []))
    .sort()

/** Returns the first day to export for a table: every day if the export has another such table; null = none yet. */
const firstDay = (state: DropState | null, name: string): string | null =>
  exportedDays(state, name)[0] ??
  (pastTables.some((past) => exportedDays(state, past.name).length > 0) ? everyDay : null)

const everyDay = "0000-01-01"

/** Writes a game's backfilled rows by day: on the first request for earlier days, then what is new. */
export const exportBackfilled = Effect.fn("exportBackfilled")(function* (
  to: Destination,
  gameId: string,
  span: Span,
  wanted: Omit<ExportForAll, "games" | "until">
) {
  const session = yield* scratchSession
  const { name } = wanted.table
  const query = pastTables.find((past) => past.name === name)?.query ?? ""
  const state = yield* readState(to, gameId)
  const known = firstDay(state, name)
  const start = span.backfill ? everyDay : (span.since ?? known)
  if (start === null) return yield* placeForAll(session, to, wanted, [], gameId)
  const first = known !== null && known < start ? known : start
  const parts = yield* listBackfillParts(gameId)
  yield* download(
    ...parts.flatMap(({ folder }) => backfillTables.map((table) => join(folder, `${table.name}.parquet`)))
  )
  for (const table of backfillTables)
    yield* session.run("Open the backfill", `create view ${table.name} as ${partsSql(table, parts)}`)
  const rows = yield* session.rows(
    "Read the days of the backfill",
    `select day::varchar as dt, concat_ws(' ', count(*), sum(product_id), ${sums[name] ?? ""}) as made_from
     from (${query}) where day >= ${sqlText(first)}::date ${span.until === null ? "" : `and day <= ${sqlText(span.until)}::date`}
     group by day order by day`
  )
  const found = new Map(rows.map((row) => [String(row["dt"]), row["made_from"]]))
  const emptied = exportedDays(state, name).filter(
    (dt) => !found.has(dt) && dt >= first && (span.until === null || dt <= span.until)
  )
  const days = [...found, ...emptied.map((dt) => [dt, "0"] as const)].map(([dt, madeFrom]) => ({
    dt,
    madeFrom,
    rows: `from (${query}) where day = ${sqlText(dt)}::date`
  }))
  return yield* placeForAll(session, to, wanted, days, gameId)
}, Effect.scoped)
