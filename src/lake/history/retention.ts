import type { RunId, SnapshotId } from "../../contract/Ids.ts"
import { lastCommittedRun, wasPublished, type Current } from "../../home/Current.ts"
import { Road } from "../../home/Road.ts"
import type { Manifest } from "../../home/Manifest.ts"

/** What to retain: a snapshot stays if any of the rules retains it. */
export interface RetentionRules {
  /** Those read within this many days. */
  readonly days: number | null
  /** This many of the newest published ones. */
  readonly last: number | null
  /** The first published one of each month, UTC. */
  readonly monthly: boolean
}

const dayMillis = 24 * 3600 * 1000

/**
 * A game's snapshots that something still points to, whatever the rules say: the published one,
 * the one that a rollback would return to, and held ones that are newer and wait for a release.
 */
export const pointedTo = (
  current: Current,
  gameId: string,
  manifests: ReadonlyArray<Manifest>
): ReadonlySet<SnapshotId> => {
  const { published = [], snapshot: live } = current.games[gameId] ?? {}
  const present = manifests.find((one) => one.snapshot === live)
  const before = live === undefined ? undefined : published[published.indexOf(live) - 1]
  const waiting = manifests.filter((one) => one.snapshot > (live ?? "") && !wasPublished(current, gameId, one.snapshot))
  // A night by the other road is compared with the last one of it.
  const roads = manifests.filter((one) => one.snapshot <= (live ?? "") && wasPublished(current, gameId, one.snapshot))
  const lastOf = Road.literals.map((road) => roads.findLast((one) => (one.road ?? "pages") === road)?.snapshot)
  const ids = [live, present?.previous, before, ...lastOf, ...waiting.map((one) => one.snapshot)]
  return new Set(ids.filter((id) => id !== null && id !== undefined))
}

/** A game's snapshots, and the time that days are counted back from. */
interface RetainedFrom {
  readonly current: Current
  readonly gameId: string
  readonly manifests: ReadonlyArray<Manifest>
  readonly nowMillis: number
}

/**
 * Which of a game's snapshots are retained; `manifests` are all in the home,
 * oldest first. `recent` leaves out those retained as a month's first.
 */
export const retained = (
  rules: RetentionRules,
  { current, gameId, manifests, nowMillis }: RetainedFrom
): { readonly all: ReadonlySet<SnapshotId>; readonly recent: ReadonlySet<SnapshotId> } => {
  const ids = new Set(current.games[gameId]?.published)
  const published = manifests.filter((one) => ids.has(one.snapshot))
  const { days, last, monthly } = rules
  const since = days === null ? Number.POSITIVE_INFINITY : nowMillis - days * dayMillis
  const young = manifests.filter((one) => Date.parse(one.extractedAt) >= since)
  const newest = last === null || last === 0 ? [] : published.slice(-last)
  const months = new Map(published.toReversed().map((one) => [one.extractedAt.slice(0, 7), one]))
  const recent = new Set([
    ...pointedTo(current, gameId, manifests),
    ...[...young, ...newest].map((one) => one.snapshot)
  ])
  const firsts = monthly ? [...months.values()].map((one) => one.snapshot) : []
  return { recent, all: new Set([...recent, ...firsts]) }
}

/** Reports older than every recent snapshot, of runs whose snapshots are not retained. */
export const reportsToRemove = (
  current: Current,
  runs: ReadonlyArray<RunId>,
  games: ReadonlyArray<ReturnType<typeof retained>>
): ReadonlyArray<RunId> => {
  const kept = new Set<RunId>(games.flatMap((game) => [...game.all]))
  const oldest = games
    .flatMap((game) => [...game.recent])
    .reduce<string>((least, id) => (id < least ? id : least), lastCommittedRun(current))
  return runs.filter((run) => run < oldest && !kept.has(run))
}
