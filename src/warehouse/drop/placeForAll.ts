import { Effect } from "effect"
import { hash } from "node:crypto"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import type { Session } from "../../store/lake/duckdb/Lake.ts"
import type { Destination, DestinationFailed } from "../destination/Destination.ts"
import {
  allGames,
  DropState,
  isRewritten,
  isUnsure,
  readDocument,
  stateFile,
  withPlanned,
  withTables,
  writeDocument,
  type DropDamaged
} from "./Drop.ts"
import type { ExportTable, TableFault } from "./exportTables.ts"
import type { ExportedGame, LeftAlone, WrittenPartition } from "./exportGame.ts"
import type { KeptAs, Placing } from "./ExportFormat.ts"
import { stagePartition, type DropFormat } from "./stagePartition.ts"
import type { SweepDay } from "./sweepLeftovers.ts"

/** The inputs of the export of a table whose rows belong to no night. */
export interface ExportForAll {
  readonly games: ReadonlyArray<string>
  readonly table: ExportTable
  readonly contract: Effect.Effect<void, DestinationFailed>
  /** The last day; null = no limit. */
  readonly until: string | null
  readonly format: DropFormat
  readonly placing: Placing<DropDamaged | LakeError | TableFault>
  readonly sweep: SweepDay
  readonly keptAs: KeptAs
  readonly stage: string
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
  const states = yield* Effect.forEach(games, (gameId) => readDocument(to, stateFile(gameId), DropState))
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
  let state: DropState = (yield* readDocument(to, stateFile(owner), DropState)) ?? { days: {} }
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
      yield* writeDocument(to, stateFile(owner), DropState, state)
      yield* place(day, isRewritten(had, keptAs))
      if (isUnsure(had)) yield* sweep(table, owner, day.dt)
      state = withTables(state, day.dt, { [table.name]: made })
      yield* writeDocument(to, stateFile(owner), DropState, state)
    }
  })
  yield* Effect.catchTag(placeAll, "TableUnfit", ({ message }) =>
    Effect.sync(() => leftAlone.push({ table: table.name, reason: message }))
  )
  return { gameId: owner, partitions, notKept: [], prunedNights: [], leftAlone } satisfies ExportedGame
})

/** Merges the results of all these tables. */
export const together = (done: ReadonlyArray<ExportedGame>): ExportedGame => ({
  gameId: allGames,
  partitions: done.flatMap(({ partitions }) => partitions),
  notKept: [],
  prunedNights: [],
  leftAlone: done.flatMap(({ leftAlone }) => leftAlone)
})
