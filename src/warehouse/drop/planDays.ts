import { hash } from "node:crypto"
import type { Night } from "../../store/lake/history/nights.ts"
import { notInHome, type DropNight, type DropState } from "./Drop.ts"
import { dropReadings, dropReusedIds, nightsName, type ExportTable } from "./exportTables.ts"
import type { Reading } from "./gameHistory.ts"
import { join } from "node:path"
import { Effect } from "effect"
import type { SnapshotId } from "../../feed/contract/Ids.ts"
import { isThere } from "../../store/home/disk.ts"
import { Home, type Current } from "../../store/home/Home.ts"

/** Which nights an export adds; what the drop already has is kept up to date whatever the span. */
export interface Span {
  /** Days from here on, such as 2026-05-01; null = from the drop's first day; in an empty drop, only the last day up to `until`. */
  readonly since: string | null
  /** Days up to this one; null = up to the last. */
  readonly until: string | null
  /** Every night of the history. */
  readonly backfill: boolean
}

/** A day that differs from the drop's. */
export interface PlannedDay {
  readonly dt: string
  /** Nights that count. */
  readonly nights: ReadonlyArray<Night>
  /** Nights that the drop has and that were taken back. */
  readonly takenBack: ReadonlyArray<DropNight>
  /** Readings of the day, those that found nothing new included. */
  readonly readings: ReadonlyArray<Reading>
  /** Tables to write, with what their partition is made from. */
  readonly tables: ReadonlyArray<readonly [table: ExportTable, madeFrom: string]>
}

/** What a drop is to have of a game. */
export interface Wanted {
  /** The whole history, oldest first. */
  readonly nights: ReadonlyArray<Night>
  readonly readings: ReadonlyArray<Reading>
  readonly tables: ReadonlyArray<ExportTable>
}

const dayOf = ({ seenAt }: Pick<Night, "seenAt">) => seenAt.slice(0, 10)
const digest = (...of: ReadonlyArray<unknown>): string => hash("sha256", JSON.stringify(of), "hex").slice(0, 16)

/** What a partition's rows depend on. */
type NightFacts = Pick<Night, "follows" | "seenAt" | "snapshot"> & { readonly place: number | null }

/** Partitions made from the same inputs have the same rows, wherever they are and in however many files. */
export const madeFrom = (
  table: ExportTable,
  nights: ReadonlyArray<NightFacts>,
  takenBack: ReadonlyArray<Pick<DropNight, "snapshot">>
): string => {
  const facts = nights.map(({ follows, place, seenAt, snapshot }) => [snapshot, seenAt, follows, place])
  const gone = table.name === nightsName ? takenBack.map(({ snapshot }) => snapshot) : []
  return digest(table.version, facts, gone)
}

/** The days of a game that an export has to write, oldest first. */
export const planDays = (
  state: DropState,
  { nights, readings, tables }: Wanted,
  { backfill, since, until }: Span
): ReadonlyArray<PlannedDay> => {
  const counting = new Set(nights.map(({ snapshot }) => snapshot))
  const known = Object.entries(state.days)
    .flatMap(([dt, day]) => (day.nights.length > 0 || dropReadings.name in day.tables ? [dt] : []))
    .sort()
  const last = nights.findLast((night) => until === null || dayOf(night) <= until)
  const first = backfill ? "" : (since ?? known[0] ?? (last === undefined ? "" : dayOf(last)))
  const isWanted = (dt: string) => dt >= first && (until === null || dt <= until)
  const days = [...new Set([...known, ...nights.map(dayOf), ...readings.map(dayOf)])].sort()
  return days.flatMap((dt): ReadonlyArray<PlannedDay> => {
    const before = state.days[dt]
    const ofDay = nights.filter((night) => dayOf(night) === dt)
    const read = readings.filter((reading) => dayOf(reading) === dt)
    const takenBack = (before?.nights ?? []).filter(({ snapshot }) => !counting.has(snapshot))
    const backfills = (table: ExportTable): string => {
      if (table.name === dropReadings.name) return digest(table.version, read)
      // Whether an id has passed to another product depends on every night before.
      const before = table.name === dropReusedIds.name ? nights.slice(0, ofDay.at(-1)?.place ?? 0) : ofDay
      return madeFrom(table, before, takenBack)
    }
    const changed = tables.flatMap((table) => {
      const had = before?.tables[table.name]
      const made = backfills(table)
      const hasRows = table.name === dropReadings.name ? read.length > 0 : ofDay.length + takenBack.length > 0
      return had === made || had === notInHome(made) || (had === undefined && !(hasRows && isWanted(dt)))
        ? []
        : [[table, made] as const]
    })
    return changed.length === 0 ? [] : [{ dt, nights: ofDay, takenBack, readings: read, tables: changed }]
  })
}

/** A night as the drop keeps it. */
export const dropNightOf = ({ deployedAt, deploymentId, seenAt, snapshot }: DropNight): DropNight => ({
  snapshot,
  seenAt,
  deploymentId,
  deployedAt
})

/** A night that was taken back and then pruned, so that it cannot come back. */
export interface PrunedNight {
  readonly snapshot: SnapshotId
  /** Its day, where the drop has it in table `nights`, with `counts` = false; null = the drop never had it. */
  readonly dt: string | null
}

/** What an export is about to do to a game. */
interface Planned {
  readonly days: ReadonlyArray<PlannedDay>
  readonly isFirst: boolean
}

/** Nights that were taken back and pruned: those of the days to write, and in a first export all that ever were. */
export const prunedNights = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  counting: ReadonlySet<SnapshotId>,
  { days, isFirst }: Planned
) {
  const home = yield* Home
  const isPruned = (snapshot: SnapshotId) => !isThere(join(home.snapshot(gameId, snapshot), "manifest.json"))
  const inDrop = days.flatMap(({ dt, takenBack }) =>
    takenBack.filter(({ snapshot }) => isPruned(snapshot)).map(({ snapshot }): PrunedNight => ({ snapshot, dt }))
  )
  if (!isFirst) return inDrop
  const published = new Set(current.history.flatMap((step) => (step.gameId === gameId ? [step.snapshot] : [])))
  return [...published]
    .filter((snapshot) => !counting.has(snapshot) && isPruned(snapshot))
    .map((snapshot): PrunedNight => ({ snapshot, dt: null }))
})
