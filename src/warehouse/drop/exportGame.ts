import { Effect, Stream } from "effect"
import { wasPublished, type Current } from "../../store/home/Home.ts"
import type { LakeError } from "../../feed/reading/LakeError.ts"
import { tellWork } from "../../store/home/WorkProgress.ts"
import { scratchSession, type Session } from "../../store/lake/duckdb/Lake.ts"
import { listNights } from "../../store/lake/history/nights.ts"
import { pastTables } from "../../store/lake/history/pastTables.ts"
import type { Destination } from "../destination/Destination.ts"
import {
  type DropState,
  hasTable,
  isRewritten,
  isUnsure,
  notInHome,
  withPlanned,
  type Drop,
  type DropDamaged,
  type DropNight,
  writeState
} from "./Drop.ts"
import { type StagedPartition, stagePartition, type DropFormat } from "./stagePartition.ts"
import type { KeptAs, Placed, Placing } from "./ExportFormat.ts"
import { dropReadings, isOfHistory, nightsName, type ExportTable, type TableFault } from "./exportTables.ts"
import { gameHistory } from "./gameHistory.ts"
import { gameState } from "./gameState.ts"
import { gatherTable, nightsSelects, openNights, readingsSelects, type OpenNight } from "./gatherTable.ts"
import { asDropNight, planDays, type PlannedDay, type Span, prunedNights, type PrunedNight } from "./planDays.ts"
import type { SweepDay } from "./sweepLeftovers.ts"
import { Fault } from "../../feed/contract/Fault.ts"

export interface GameExport {
  readonly drop: Drop
  readonly keptAs: KeptAs
  readonly gameId: string
  readonly current: Current
  readonly tables: ReadonlyArray<ExportTable>
  readonly span: Span
  readonly format: DropFormat
  readonly placing: Placing<DropDamaged | LakeError | TableFault>
  readonly sweep: SweepDay
  readonly stage: string
}

/** A table that another program changed. */
export interface LeftAlone {
  readonly table: string
  readonly reason: string
}

export interface WrittenPartition extends Pick<StagedPartition, "bytes" | "dt" | "isFromHistory" | "rows"> {
  readonly table: string
  readonly did: Placed
}

/** A table of a day that is no longer in the home. */
export interface NotKept {
  readonly table: string
  readonly dt: string
  /** True if the export's partition has rows of rolled-back nights, and cannot be written without them. */
  readonly hasTakenBack: boolean
}

export interface ExportedGame {
  readonly gameId: string
  readonly partitions: ReadonlyArray<WrittenPartition>
  /** Tables of days whose nights are no longer complete in the home, because they were pruned before an export. */
  readonly notKept: ReadonlyArray<NotKept>
  /** Rolled-back nights that the home has pruned. */
  readonly prunedNights: ReadonlyArray<PrunedNight>
  /** Tables that another program changed, with the reason. Nothing was written to them. */
  readonly leftAlone: ReadonlyArray<LeftAlone>
}

export const nothingDone = { partitions: [], notKept: [], prunedNights: [], leftAlone: [] } as const

/** The inputs of a day's written tables, and the hashes of their files. */
interface MadeDay {
  readonly tables: Record<string, string>
  readonly sha256: Record<string, string>
}

const withDay = (state: DropState, dt: string, nights: ReadonlyArray<DropNight>, made: MadeDay): DropState => {
  const before = state.days[dt]
  const sha256 = { ...before?.sha256, ...made.sha256 }
  return { days: { ...state.days, [dt]: { nights, tables: { ...before?.tables, ...made.tables }, sha256 } } }
}

/** Fails if the export has a night that this home never published. */
const refuseForeign = Effect.fnUntraced(function* (
  to: Destination,
  { current, gameId }: GameExport,
  known: DropState,
  counting: ReadonlySet<string>
) {
  for (const { snapshot } of Object.values(known.days).flatMap((day) => day.nights)) {
    if (counting.has(snapshot) || wasPublished(current, gameId, snapshot)) continue
    return yield* new Fault(
      "ForeignDrop",
      `${to.address} has a night of ${gameId} that this home did not publish (${snapshot}): another home exports to it. Nothing was written. Export to another destination`
    )
  }
})

/** Stages and places the partitions of a game, writes the export's state, and collects the result of each partition. */
const gameWriter = Effect.fnUntraced(function* (
  to: Destination,
  { format, gameId, keptAs, placing, stage }: GameExport,
  session: Session,
  known: DropState
) {
  const placingSession = yield* scratchSession
  const partitions: Array<WrittenPartition> = []
  const notKept: Array<NotKept> = []
  const leftAlone = new Map<string, LeftAlone>()
  let state = known
  const had = (dt: string, { name }: ExportTable) => known.days[dt]?.tables[name]

  /** Stages a table's rows of these nights; null if they are no longer in the home. */
  const staged = Effect.fnUntraced(function* (table: ExportTable, day: PlannedDay, opened: ReadonlyArray<OpenNight>) {
    const counted = opened.map(({ night }) => night)
    const gathered =
      table.name === nightsName
        ? yield* nightsSelects(session, gameId, counted, day.takenBack)
        : table.name === dropReadings.name
          ? readingsSelects(gameId, day.readings)
          : yield* gatherTable(table, opened)
    if (gathered === null) return null
    const about = { table, gameId, dt: day.dt, nights: counted.map(asDropNight) }
    const isDamaged = isRewritten(had(day.dt, table), keptAs)
    return yield* stagePartition(session, { ...format, stage }, { ...about, isDamaged, ...gathered })
  })

  /** Places a partition; records the table as left alone if another program changed it. */
  const place = (partition: StagedPartition) =>
    placing.place(placingSession, partition).pipe(
      Effect.map((did) => {
        const { bytes, dt, isFromHistory, rows, table } = partition
        partitions.push({ table: table.name, dt, rows, bytes, did, isFromHistory })
        return true
      }),
      Effect.catchTag("TableUnfit", ({ message }) => {
        leftAlone.set(partition.table.name, { table: partition.table.name, reason: message })
        return Effect.succeed(false)
      })
    )

  const note = (change: (before: DropState) => DropState) => {
    state = change(state)
    return writeState(to, gameId, state)
  }
  return { known, had, staged, place, note, partitions, notKept, leftAlone }
})
type GameWriter = Effect.Success<ReturnType<typeof gameWriter>>

/** Writes table `nights` of days with rolled-back nights, so that these no longer count before anything is added. */
const removeTakenBack = Effect.fnUntraced(function* (
  { known, leftAlone, note, place, staged }: GameWriter,
  { placing, tables }: GameExport,
  days: ReadonlyArray<PlannedDay>,
  past: OpenNight["past"]
) {
  const shrunk = days.filter(({ takenBack }) => takenBack.length > 0)
  const planned = shrunk.filter(({ tables: all }) => all.some(([{ name }]) => name === nightsName))
  if (planned.length > 0)
    yield* note((state) => planned.reduce((before, { dt }) => withPlanned(before, dt, [nightsName]), state))
  for (const day of shrunk) {
    const counted = new Set(known.days[day.dt]?.nights.map(({ snapshot }) => snapshot))
    const stayed = day.nights.filter(({ snapshot }) => counted.has(snapshot))
    for (const table of tables.filter(({ name }) => name === nightsName)) {
      const partition = yield* staged(table, day, yield* openNights(stayed, past))
      if (partition !== null && !leftAlone.has(table.name)) yield* place(partition)
    }
    yield* placing.commitDay
  }
})

/** Writes the tables of a day. The state records the plan before, and the results after. */
const writeDay = Effect.fnUntraced(function* (
  { had, leftAlone, notKept, note, place, staged }: GameWriter,
  { gameId, keptAs, placing, sweep }: GameExport,
  day: PlannedDay,
  past: OpenNight["past"]
) {
  const made: MadeDay = { tables: {}, sha256: {} }
  const nights = [...day.takenBack, ...day.nights.map(asDropNight)]
  const written = day.tables.map(([table]) => table)
  const names = written.flatMap(({ name }) => (leftAlone.has(name) ? [] : [name]))
  yield* note((state) => withPlanned(withDay(state, day.dt, nights, made), day.dt, names))
  const opened = yield* openNights(day.nights, past)
  // While a file is flushed to disk, DuckDB writes the next one.
  const files = Stream.fromIterable(day.tables).pipe(
    Stream.filter(([table]) => !leftAlone.has(table.name)),
    Stream.mapEffect(([table, madeFrom]) =>
      Effect.map(staged(table, day, opened), (partition) => ({ table, madeFrom, partition }))
    ),
    Stream.buffer({ capacity: 1 })
  )
  yield* Stream.runForEach(files, ({ madeFrom, partition, table }) =>
    Effect.gen(function* () {
      if (partition === null) {
        const before = had(day.dt, table)
        const hasTakenBack = before !== undefined && hasTable(before) && day.takenBack.length > 0
        notKept.push({ table: table.name, dt: day.dt, hasTakenBack })
        made.tables[table.name] = notInHome(madeFrom)
      } else if (yield* place(partition)) {
        made.tables[table.name] = madeFrom
        made.sha256[table.name] = keptAs.tables !== null && partition.rows === 0 ? "" : partition.sha256
      }
    })
  )
  yield* placing.commitDay
  for (const table of written) if (isUnsure(had(day.dt, table))) yield* sweep(table, gameId, day.dt)
  yield* note((state) => withDay(state, day.dt, nights, made))
})

/**
 * Updates an export's partitions of one game from the home: first removes rolled-back nights, then writes the days,
 * oldest first, each with its table `nights` last. Resumes after a killed run.
 */
export const exportGame = Effect.fn("exportGame")(function* (to: Destination, game: GameExport) {
  const { current, drop, gameId, keptAs, span, stage, tables } = game
  const session = yield* scratchSession
  const nights = yield* listNights(current, gameId)
  const known: DropState = yield* gameState(session, to, drop, keptAs, { gameId, stage })
  const counting = new Set(nights.map(({ snapshot }) => snapshot))
  yield* refuseForeign(to, game, known, counting)
  const readings = tables.some(isOfHistory) ? yield* gameHistory(session, gameId, nights) : []
  const days = planDays(known, { nights, readings, tables }, span)
  const cut = yield* prunedNights(current, gameId, counting, { days, isFirst: Object.keys(known.days).length === 0 })
  const past = pastTables(session, nights)
  const writer = yield* gameWriter(to, game, session, known)
  yield* removeTakenBack(writer, game, days, past)
  for (const [index, day] of days.entries()) {
    yield* tellWork(gameId, index / days.length)
    yield* writeDay(writer, game, day, past)
  }
  const { leftAlone, notKept, partitions } = writer
  return { gameId, partitions, notKept, prunedNights: cut, leftAlone: [...leftAlone.values()] } satisfies ExportedGame
}, Effect.scoped)
