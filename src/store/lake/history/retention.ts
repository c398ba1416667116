import type { RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { lastCommittedRun, wasPublished, type Current } from "../../home/Home.ts"
import { Via } from "../../../feed/contract/Via.ts"
import type { Manifest } from "../../home/Manifest.ts"
import { publishedChain } from "./nights.ts"

/** Retention rules: any of them retains a snapshot. */
export interface RetentionRules {
  /** Retains snapshots read within this many days. */
  readonly days: number | null
  /** Retains this many of the newest counting nights, and those rolled back since. */
  readonly last: number | null
  /** Retains the first counting night of each month (UTC). */
  readonly monthly: boolean
}

const dayMillis = 24 * 3600 * 1000

/** Returns snapshots that no rule removes: published, target of a rollback, or held since then. */
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
  // A night in another way of reading is compared with the last one of its kind that counted with these.
  const lastByVias = nights.flatMap((night) => {
    const counted = publishedChain(current, gameId, night)
    const known = manifests.filter((one) => counted.includes(one.snapshot))
    return Via.literals.flatMap((via) => known.findLast((one) => (one.via ?? "pages") === via)?.snapshot ?? [])
  })
  return new Set([...nights, ...lastByVias, ...waiting.map((one) => one.snapshot)])
}

/** A game's snapshots, and the time from which days are counted back. */
interface RetainedFrom {
  readonly current: Current
  readonly gameId: string
  readonly manifests: ReadonlyArray<Manifest>
  readonly nowMillis: number
}

/** Returns a game's retained snapshots. `recent` excludes those retained only as a month's first. */
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

/** Returns reports that are older than every recent snapshot and whose runs have no retained snapshot. */
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
