import { Effect, Semaphore } from "effect"
import { createHash } from "node:crypto"
import { keepRecent } from "../answers/caches.ts"
import { makeRebuiltPrices, type RebuiltPrices, type Rebuild } from "./rebuiltPrices.ts"
import type { DeploymentChanges, StoredDeployment, StoredGame, Touched } from "./StoredCatalogue.ts"

/** Deployment that every game starts with. */
export type LiveAtStart = "first" | "last"

interface Counts {
  readonly added: number
  readonly modified: number
  readonly removed: number
}

/** One entry of the changelog, without its changed items. Spec: changelog. */
export interface LiveEntry {
  /** Opaque id, derived from game and deployment. It is equal in every run. */
  readonly id: string
  readonly deployment: number
  readonly deployedAt: string
  readonly summary: { readonly products: Counts; readonly expansions: Counts }
}

/** A game being served: its live deployment, its changelog, and the switch to the next deployment. */
export interface LiveGame {
  readonly stored: StoredGame
  /** Index of the live deployment. It changes between requests, never within one. */
  readonly live: () => number
  /** When a deployment went live, in the marketplace's milliseconds; `-Infinity` if it was live at the start. */
  readonly wentLiveAt: (deployment: number) => number
  /** The deployment with rebuilt prices. */
  readonly open: (deployment: number) => Promise<StoredDeployment>
  /** Prices rebuilt between deployments. */
  readonly rebuilt: RebuiltPrices
  /** Rebuilds the prices of the live deployment. Default seed: the number of the rebuild. */
  readonly reprice: (seed?: number) => Rebuild
  /** Entries up to the live deployment, newest first. A deployment that changed only prices has none. */
  readonly entries: Effect.Effect<ReadonlyArray<LiveEntry>>
  readonly changes: (deployment: number) => Promise<DeploymentChanges>
  /** Makes the next deployment live; `undefined` if there is none. */
  readonly deploy: Effect.Effect<{ readonly deploymentId: string; readonly remaining: number } | undefined>
}

const counts = ({ added, modified, removed }: Touched): Counts => ({
  added: added.length,
  modified: modified.length,
  removed: removed.length
})
const touchesNothing = ({ added, modified, removed }: Counts) => added + modified + removed === 0

const entryId = (gameId: string, deployment: string) =>
  `dep_${createHash("sha256").update(`${gameId}/${deployment}`).digest("hex").slice(0, 16)}`

export const makeLiveGame = Effect.fnUntraced(function* (stored: StoredGame, start: LiveAtStart, now: () => number) {
  const atStart = start === "first" ? 0 : stored.deployments.length - 1
  const instants = new Map<number, number>()
  let live = atStart
  const rebuilt = makeRebuiltPrices(stored)
  const recentChanges = keepRecent(8, stored.changes)
  // The first deployment adds everything: its changes are too large to cache and need no comparison.
  const changes = (deployment: number) => (deployment === 0 ? stored.changes(0) : recentChanges(deployment))

  const summarize = async (deployment: number): Promise<LiveEntry["summary"]> => {
    if (deployment > 0) {
      const { products, expansions } = await changes(deployment)
      return { products: counts(products), expansions: counts(expansions) }
    }
    const first = await stored.open(0)
    const countAdded = (added: number) => ({ added, modified: 0, removed: 0 })
    return { products: countAdded(first.products.size), expansions: countAdded(first.expansions.length) }
  }
  const loadEntry = keepRecent(Infinity, async (deployment: number): Promise<LiveEntry | undefined> => {
    const { name, deployedAt } = stored.deployments[deployment] ?? { name: "", deployedAt: "" }
    const summary = await summarize(deployment)
    const onlyPrices = deployment > 0 && touchesNothing(summary.products) && touchesNothing(summary.expansions)
    return onlyPrices ? undefined : { id: entryId(stored.game.id, name), deployment, deployedAt, summary }
  })
  const entriesUpTo = async (last: number) => {
    const entries: Array<LiveEntry> = []
    // Sequential, because a comparison holds two deployments in memory.
    for (let deployment = 0; deployment <= last; deployment++) {
      // oxlint-disable-next-line no-await-in-loop
      const entry = await loadEntry(deployment)
      if (entry !== undefined) entries.unshift(entry)
    }
    return entries
  }
  const oneAtATime = yield* Semaphore.make(1)
  return {
    stored,
    live: () => live,
    wentLiveAt: (deployment) => instants.get(deployment) ?? (deployment <= atStart ? -Infinity : Infinity),
    open: (deployment) => rebuilt.open(deployment),
    rebuilt,
    reprice: (seed = rebuilt.of(live).length + 1) => {
      const rebuild = { seed, at: now() }
      rebuilt.add(live, rebuild)
      return rebuild
    },
    entries: Effect.promise(() => entriesUpTo(live)),
    changes,
    deploy: Effect.promise(async () => {
      const next = live + 1
      if (next >= stored.deployments.length) return undefined
      await stored.open(next)
      const entries = await entriesUpTo(next)
      live = next
      instants.set(next, now())
      return { deploymentId: entries[0]?.id ?? "", remaining: stored.deployments.length - 1 - live }
    }).pipe(oneAtATime.withPermit)
  } satisfies LiveGame
})
