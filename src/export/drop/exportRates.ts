import { Effect } from "effect"
import { hash } from "node:crypto"
import { isThere } from "../../home/disk.ts"
import { Home } from "../../home/Home.ts"
import { verifySummed } from "../../home/summedFile.ts"
import type { LakeError } from "../../home/LakeError.ts"
import { scratchSession } from "../../lake/duckdb/scratchSession.ts"
import { sqlText } from "../../lake/duckdb/sqlText.ts"
import type { Destination } from "../destination/Destination.ts"
import type { DestinationFailed } from "../destination/DestinationFailed.ts"
import { dayNumber, dayText } from "./dayNumber.ts"
import {
  allGames,
  damaged,
  DropState,
  readDocument,
  stateFile,
  withTables,
  writeDocument,
  type DropDamaged
} from "./Drop.ts"
import { dropRates, type ExportTable } from "./exportTables.ts"
import type { ExportedGame, LeftAlone, WrittenPartition } from "./exportGame.ts"
import type { Placing } from "./PlacePartition.ts"
import { stagePartition, type DropFormat } from "./stagePartition.ts"
import type { TableFault } from "./TableFault.ts"

/** What an export does to the exchange rates. */
export interface RatesExport {
  /** Those of the drop. */
  readonly games: ReadonlyArray<string>
  readonly table: ExportTable
  /** Writes what the table promises. */
  readonly contract: Effect.Effect<void, DestinationFailed>
  /** The last day; null = no last one. */
  readonly until: string | null
  readonly format: DropFormat
  readonly placing: Placing<DropDamaged | LakeError | TableFault>
  readonly stage: string
}

/** A rate also applies on the days without one after it, six at most. */
const daysBefore = 6

/** The first day whose rate the drop's rows need; null = it has no day. */
const firstDay = Effect.fnUntraced(function* (to: Destination, games: ReadonlyArray<string>) {
  const states = yield* Effect.forEach(games, (gameId) => readDocument(to, stateFile(gameId), DropState))
  const [first] = states.flatMap((state) => Object.keys(state?.days ?? {})).sort()
  return first === undefined ? null : dayText(dayNumber(first) - daysBefore)
})

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
export const exportRates = Effect.fn("exportRates")(function* (to: Destination, wanted: RatesExport) {
  const { contract, format, games, placing, stage, table, until } = wanted
  const partitions: Array<WrittenPartition> = []
  const leftAlone: Array<LeftAlone> = []
  const done: ExportedGame = { gameId: allGames, partitions, notKept: [], prunedNights: [], leftAlone }
  const first = yield* firstDay(to, games)
  if (first === null || !(yield* hasRates)) return done
  const session = yield* scratchSession
  yield* session.set({ rates_file: (yield* Home).rates })
  const days = yield* session.rows(
    "Ask for the exchange rates",
    `select day::varchar as dt, string_agg(currency || ' ' || rate, ',' order by currency) as rates
     from (${dropRates.query}) where day >= ${sqlText(first)}::date and (${until === null ? "true" : `day <= ${sqlText(until)}::date`})
     group by day order by day`
  )
  if (days.length > 0) yield* contract
  let state: DropState = (yield* readDocument(to, stateFile(allGames), DropState)) ?? { days: {} }
  const place = Effect.fnUntraced(function* (dt: string, isDamaged: boolean) {
    const rows = `from (${dropRates.query}) where day = ${sqlText(dt)}::date`
    const selects = [{ snapshot: null, seenAt: `${dt}T00:00:00.000Z`, sql: rows, sortedFile: null }]
    const about = { table, gameId: allGames, dt, nights: [], expectedRows: null, isFromHistory: false }
    const partition = yield* stagePartition(session, { ...format, stage }, { ...about, selects, isDamaged })
    const did = yield* placing.place(session, partition)
    yield* placing.commitDay
    partitions.push({ table: table.name, dt, rows: partition.rows, bytes: partition.bytes, did, isFromHistory: false })
  })
  const placeAll = Effect.gen(function* () {
    for (const row of days) {
      const dt = String(row["dt"])
      const had = state.days[dt]?.tables[table.name]
      const made = hash("sha256", JSON.stringify([table.version, row["rates"]]), "hex").slice(0, 16)
      if (had === made) continue
      yield* place(dt, had === damaged)
      state = withTables(state, dt, { [table.name]: made })
      yield* writeDocument(to, stateFile(allGames), DropState, state)
    }
  })
  yield* Effect.catchTag(placeAll, "TableUnfit", ({ message }) =>
    Effect.sync(() => leftAlone.push({ table: table.name, reason: message }))
  )
  return done
}, Effect.scoped)
