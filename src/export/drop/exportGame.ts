import { Effect, Schema } from "effect"
import { wasPublished, type Current } from "../../lake/publish/Current.ts"
import type { LakeError } from "../../lake/duckdb/LakeError.ts"
import { scratchSession } from "../../lake/duckdb/scratchSession.ts"
import { nightsOf } from "../../lake/history/nights.ts"
import { pastTables } from "../../lake/history/pastTables.ts"
import type { Destination } from "../destination/Destination.ts"
import {
  damaged,
  DropState,
  notInHome,
  stateFile,
  writeDocument,
  type Drop,
  type DropDamaged,
  type DropNight
} from "./Drop.ts"
import { nightsName, type DropTable } from "./dropTables.ts"
import { gameState } from "./gameState.ts"
import { gatherTable, nightsSelects, openNights, type OpenNight } from "./gatherTable.ts"
import { dropNightOf, planDays, type PlannedDay, type Span } from "./planDays.ts"
import type { Placing } from "./PlacePartition.ts"
import type { TableFault } from "./TableFault.ts"
import { writePartition, type DropFormat, type WrittenPartition } from "./writePartition.ts"

/** What an export does to one game. */
export interface GameExport {
  readonly drop: Drop
  readonly gameId: string
  readonly current: Current
  readonly tables: ReadonlyArray<DropTable>
  readonly span: Span
  readonly format: DropFormat
  readonly placing: Placing<DropDamaged | LakeError | TableFault>
  readonly stage: string
}

/** A table that is not as Cardlake left it. */
export interface LeftAlone {
  readonly table: string
  readonly reason: string
}

/** What an export did to a game. */
export interface ExportedGame {
  readonly gameId: string
  readonly partitions: ReadonlyArray<WrittenPartition>
  /** Tables of days whose nights are no longer complete in the home: pruned before they were exported. */
  readonly notKept: ReadonlyArray<{ readonly table: string; readonly dt: string }>
  /** Tables that another program changed: nothing was written to them, and why. */
  readonly leftAlone: ReadonlyArray<LeftAlone>
}

/** The drop has nights of the game that this home never published: another home writes to it. */
export class ForeignDrop extends Schema.TaggedError<ForeignDrop>()("ForeignDrop", {
  address: Schema.String,
  gameId: Schema.String,
  snapshot: Schema.String
}) {
  override get message() {
    return `${this.address} has a night of ${this.gameId} that this home never published (${this.snapshot}): another home exports to it. Nothing was written. Export to a destination of its own`
  }
}

const withDay = (state: DropState, dt: string, nights: ReadonlyArray<DropNight>, tables: Record<string, string>) => ({
  days: { ...state.days, [dt]: { nights, tables: { ...state.days[dt]?.tables, ...tables } } }
})

/**
 * Brings a drop's partitions of one game up to date with the home: first removes nights that were taken back, then
 * writes the days, oldest first, each with its table `nights` last. Continues where an export that died stopped.
 */
export const exportGame = Effect.fn("exportGame")(function* (to: Destination, game: GameExport) {
  const { current, drop, format, gameId, placing, span, stage, tables } = game
  const session = yield* scratchSession
  const nights = yield* nightsOf(current, gameId)
  let state: DropState = yield* gameState(session, to, drop, { gameId, stage })
  const counting = new Set(nights.map(({ snapshot }) => snapshot))
  for (const { snapshot } of Object.values(state.days).flatMap((day) => day.nights)) {
    if (counting.has(snapshot) || wasPublished(current, gameId, snapshot)) continue
    return yield* new ForeignDrop({ address: to.address, gameId, snapshot })
  }
  const days = planDays(state, nights, tables, span)
  const partitions: Array<WrittenPartition> = []
  const missing: Array<{ readonly table: string; readonly dt: string }> = []
  const leftAlone = new Map<string, LeftAlone>()
  const past = pastTables(session, nights)
  const nightsTable = tables.filter(({ name }) => name === nightsName)

  /** What is noted of it; null = nothing, so that the next export tries it again. */
  const write = Effect.fnUntraced(function* (
    table: DropTable,
    madeFrom: string,
    day: PlannedDay,
    opened: ReadonlyArray<OpenNight>
  ) {
    if (leftAlone.has(table.name)) return null
    const counted = opened.map(({ night }) => night)
    const gathered =
      table.name === nightsName
        ? yield* nightsSelects(session, gameId, counted, day.takenBack)
        : yield* gatherTable(table, opened)
    if (gathered === null) {
      missing.push({ table: table.name, dt: day.dt })
      return notInHome(madeFrom)
    }
    const told = yield* writePartition(
      session,
      placing.place,
      { ...format, stage },
      {
        table,
        gameId,
        dt: day.dt,
        nights: counted.map(dropNightOf),
        isDamaged: state.days[day.dt]?.tables[table.name] === damaged,
        ...gathered
      }
    ).pipe(Effect.catchTag("TableUnfit", ({ message }) => Effect.succeed({ table: table.name, reason: message })))
    if ("reason" in told) {
      leftAlone.set(table.name, told)
      return null
    }
    partitions.push(told)
    return madeFrom
  })

  for (const day of days.filter(({ takenBack }) => takenBack.length > 0)) {
    const had = new Set(state.days[day.dt]?.nights.map(({ snapshot }) => snapshot))
    const stayed = day.nights.filter(({ snapshot }) => had.has(snapshot))
    for (const table of nightsTable) yield* write(table, "", day, yield* openNights(stayed, past))
    yield* placing.settle
  }
  for (const day of days) {
    const made: Record<string, string> = {}
    const opened = yield* openNights(day.nights, past)
    for (const [table, madeFrom] of day.tables) {
      const noted = yield* write(table, madeFrom, day, opened)
      if (noted !== null) made[table.name] = noted
    }
    yield* placing.settle
    state = withDay(state, day.dt, [...day.takenBack, ...day.nights.map(dropNightOf)], made)
    yield* writeDocument(to, stateFile(gameId), DropState, state)
  }
  return { gameId, partitions, notKept: missing, leftAlone: [...leftAlone.values()] } satisfies ExportedGame
}, Effect.scoped)
