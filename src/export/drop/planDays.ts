import { hash } from "node:crypto"
import type { Night } from "../../lake/history/nights.ts"
import { notInHome, type DropNight, type DropState } from "./Drop.ts"
import { nightsName, type DropTable } from "./dropTables.ts"

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
  /** Tables to write, with what their partition is made from. */
  readonly tables: ReadonlyArray<readonly [table: DropTable, madeFrom: string]>
}

const dayOf = ({ seenAt }: Pick<Night, "seenAt">) => seenAt.slice(0, 10)

/** What a partition's rows depend on. */
type NightFacts = Pick<Night, "follows" | "seenAt" | "snapshot"> & { readonly place: number | null }

/** Partitions made from the same inputs have the same rows, wherever they are and in however many files. */
export const madeFrom = (
  table: DropTable,
  nights: ReadonlyArray<NightFacts>,
  takenBack: ReadonlyArray<Pick<DropNight, "snapshot">>
): string => {
  const facts = nights.map(({ follows, place, seenAt, snapshot }) => [snapshot, seenAt, follows, place])
  const gone = table.name === nightsName ? takenBack.map(({ snapshot }) => snapshot) : []
  return hash("sha256", JSON.stringify([table.version, facts, gone]), "hex").slice(0, 16)
}

/** The days of a game that an export has to write, oldest first. */
export const planDays = (
  state: DropState,
  nights: ReadonlyArray<Night>,
  tables: ReadonlyArray<DropTable>,
  { backfill, since, until }: Span
): ReadonlyArray<PlannedDay> => {
  const counting = new Set(nights.map(({ snapshot }) => snapshot))
  const known = Object.keys(state.days).sort()
  const last = nights.findLast((night) => until === null || dayOf(night) <= until)
  const first = backfill ? "" : (since ?? known[0] ?? (last === undefined ? "" : dayOf(last)))
  const isWanted = (dt: string) => dt >= first && (until === null || dt <= until)
  return [...new Set([...known, ...nights.map(dayOf)])].sort().flatMap((dt): ReadonlyArray<PlannedDay> => {
    const before = state.days[dt]
    const ofDay = nights.filter((night) => dayOf(night) === dt)
    const takenBack = (before?.nights ?? []).filter(({ snapshot }) => !counting.has(snapshot))
    const changed = tables.flatMap((table) => {
      const had = before?.tables[table.name]
      const made = madeFrom(table, ofDay, takenBack)
      return had === made || had === notInHome(made) || (had === undefined && !isWanted(dt))
        ? []
        : [[table, made] as const]
    })
    return changed.length === 0 ? [] : [{ dt, nights: ofDay, takenBack, tables: changed }]
  })
}

/** A night as the drop keeps it. */
export const dropNightOf = ({ deployedAt, deploymentId, seenAt, snapshot }: DropNight): DropNight => ({
  snapshot,
  seenAt,
  deploymentId,
  deployedAt
})
