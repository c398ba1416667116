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

/** The nights that a run adds to the export. Days that the export already has are always updated. */
export interface Span {
  /** The first day, such as 2026-05-01; null = the export's first day; if it is empty, the last day up to `until`. */
  readonly since: string | null
  /** The last day; null = no limit. */
  readonly until: string | null
  /** True to add every night of the history. */
  readonly backfill: boolean
}

/** A day that differs from the export's. */
export interface PlannedDay {
  readonly dt: string
  /** Nights that count. */
  readonly nights: ReadonlyArray<Night>
  /** Rolled-back nights that the export has. */
  readonly takenBack: ReadonlyArray<DropNight>
  /** Readings of the day, including those without changes. */
  readonly readings: ReadonlyArray<Reading>
  /** Tables to write, with the inputs of their partition. */
  readonly tables: ReadonlyArray<readonly [table: ExportTable, madeFrom: string]>
}

/** The complete state that an export needs for a game. */
export interface Wanted {
  /** The whole history, oldest first. */
  readonly nights: ReadonlyArray<Night>
  readonly readings: ReadonlyArray<Reading>
  readonly tables: ReadonlyArray<ExportTable>
}

const nightDay = ({ seenAt }: Pick<Night, "seenAt">) => seenAt.slice(0, 10)
const digest = (...of: ReadonlyArray<unknown>): string => hash("sha256", JSON.stringify(of), "hex").slice(0, 16)

/** The facts of a night that a partition's rows depend on. */
type NightFacts = Pick<Night, "follows" | "seenAt" | "snapshot"> & { readonly place: number | null }

/** Describes a partition's inputs. Equal inputs make equal rows, in any format and number of files. */
export const madeFrom = (
  table: ExportTable,
  nights: ReadonlyArray<NightFacts>,
  takenBack: ReadonlyArray<Pick<DropNight, "snapshot">>
): string => {
  const facts = nights.map(({ follows, place, seenAt, snapshot }) => [snapshot, seenAt, follows, place])
  const dropped = table.name === nightsName ? takenBack.map(({ snapshot }) => snapshot) : []
  return digest(table.version, facts, dropped)
}

/** Returns the days of a game that an export has to write, oldest first. */
export const planDays = (
  state: DropState,
  { nights, readings, tables }: Wanted,
  { backfill, since, until }: Span
): ReadonlyArray<PlannedDay> => {
  const counting = new Set(nights.map(({ snapshot }) => snapshot))
  const known = Object.entries(state.days)
    .flatMap(([dt, day]) => (day.nights.length > 0 || dropReadings.name in day.tables ? [dt] : []))
    .sort()
  const last = nights.findLast((night) => until === null || nightDay(night) <= until)
  const first = backfill ? "" : (since ?? known[0] ?? (last === undefined ? "" : nightDay(last)))
  const isWanted = (dt: string) => dt >= first && (until === null || dt <= until)
  const days = [...new Set([...known, ...nights.map(nightDay), ...readings.map(nightDay)])].sort()
  return days.flatMap((dt): ReadonlyArray<PlannedDay> => {
    const before = state.days[dt]
    const ofDay = nights.filter((night) => nightDay(night) === dt)
    const read = readings.filter((reading) => nightDay(reading) === dt)
    const takenBack = (before?.nights ?? []).filter(({ snapshot }) => !counting.has(snapshot))
    const backfills = (table: ExportTable): string => {
      if (table.name === dropReadings.name) return digest(table.version, read)
      // Every earlier night decides whether an id has passed to another product.
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

export const asDropNight = ({ deployedAt, deploymentId, seenAt, snapshot }: DropNight): DropNight => ({
  snapshot,
  seenAt,
  deploymentId,
  deployedAt
})

/** A night that was rolled back and then pruned, so that it cannot be restored. */
export interface PrunedNight {
  readonly snapshot: SnapshotId
  /** Its day if the export has it in table `nights`, with `counts` = false; null = the export never had it. */
  readonly dt: string | null
}

/** Returns nights that were rolled back and pruned: those of the days to write; in a first export, all of them. */
export const prunedNights = Effect.fnUntraced(function* (
  current: Current,
  gameId: string,
  counting: ReadonlySet<SnapshotId>,
  { days, isFirst }: { readonly days: ReadonlyArray<PlannedDay>; readonly isFirst: boolean }
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
