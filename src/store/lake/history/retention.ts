import type { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { lastCommittedRun, wasPublished, type Current } from "../../home/Home.ts"
import { Via } from "../../../feed/contract/Via.ts"
import type { Manifest } from "../../home/Manifest.ts"
import { publishedChain } from "./nights.ts"

/** What to retain: a snapshot stays if any of the rules retains it. */
export interface RetentionRules {
  /** Those read within this many days. */
  readonly days: number | null
  /** This many of the newest nights that count, and what was taken back since. */
  readonly last: number | null
  /** The first night of each month that counts, UTC. */
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
  const follows = publishedChain(current, gameId, live).at(-2)
  const nights = [live, follows, present?.previous, before].filter((id) => id !== null && id !== undefined)
  // A night by another way than these is compared with the last one by its way of reading that counted with them.
  const lastByVias = nights.flatMap((night) => {
    const counted = publishedChain(current, gameId, night)
    const known = manifests.filter((one) => counted.includes(one.snapshot))
    return Via.literals.flatMap((via) => known.findLast((one) => (one.via ?? "pages") === via)?.snapshot ?? [])
  })
  return new Set([...nights, ...lastByVias, ...waiting.map((one) => one.snapshot)])
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
  const chain = publishedChain(current, gameId, current.games[gameId]?.snapshot)
  const counted = published.filter((one) => chain.includes(one.snapshot))
  const oldest = last === null || last === 0 ? undefined : (counted.at(-last) ?? counted[0])
  const newest = oldest === undefined ? [] : published.filter((one) => one.snapshot >= oldest.snapshot)
  const months = new Map(counted.toReversed().map((one) => [one.extractedAt.slice(0, 7), one]))
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
