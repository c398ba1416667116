import { Effect } from "effect"
import { withPublications, type Current, type Publication } from "../src/lake/Current.ts"
import { foldersIn } from "../src/lake/foldersIn.ts"
import { readHeldBack } from "../src/lake/HeldBack.ts"
import { Home } from "../src/lake/Home.ts"
import { partsOf } from "../src/lake/parts.ts"
import { snapshotsOfLake } from "../src/lake/repair/lostPublications.ts"
import { gamesWithSnapshots, snapshotsOf } from "../src/lake/snapshots.ts"
import { listRuns } from "./listRuns.ts"

/**
 * The published state as the rest of the home tells it. `lake.duckdb` knows what was published; where it cannot be read, run reports do, and
 * without any report every snapshot that is not held counts. Reports tell the steps that led there.
 */
export const rebuildCurrent = Effect.fn("rebuildCurrent")(function* () {
  const home = yield* Home
  const lake = yield* snapshotsOfLake
  const inLake = new Set(lake.map(idOf))
  const reported = yield* reportedSteps
  const games = new Set([...(yield* gamesWithSnapshots), ...(yield* foldersIn(home.history, "game="))])
  const present = (yield* Effect.forEach(games, presentReadings)).flat()
  const steps = new Set(reported.map(idOf))
  const isPublished = (one: Reading): boolean => {
    if (one.isInMonth) return true
    if (inLake.size > 0) return inLake.has(idOf(one))
    return reported.length > 0 ? steps.has(idOf(one)) : !one.isHeld
  }
  const published = present.filter(isPublished)
  const ids = new Set(published.map(idOf))
  const unreported = published
    .filter((one) => !steps.has(idOf(one)))
    .map(({ at, gameId, snapshot }): Publication => ({
      run: snapshot,
      kind: "nightly",
      gameId,
      snapshot,
      at,
      why: null
    }))
  const history = [...reported.filter((step) => ids.has(idOf(step))), ...unreported]
  const current = withPublications(
    { games: {}, history: [] },
    history.toSorted((a, b) => (a.run < b.run ? -1 : 1))
  )
  const kept = new Set(published.filter((one) => one.hasFolder).map(idOf))
  const live = new Set(lake.filter((one) => one.isCurrent).map(idOf))
  return withFolders(
    current,
    (one) => kept.has(idOf(one)),
    (one) => live.has(idOf(one))
  )
})

interface Named {
  readonly gameId: string
  readonly snapshot: string
}

/** A reading that a snapshot or a month of the home holds. */
interface Reading extends Named {
  readonly at: string
  readonly isHeld: boolean
  readonly isInMonth: boolean
  readonly hasFolder: boolean
}

const idOf = ({ gameId, snapshot }: Named): string => `${gameId}/${snapshot}`

const presentReadings = Effect.fnUntraced(function* (gameId: string) {
  const nights = (yield* partsOf(gameId)).flatMap(({ part }) => part.nights)
  const inMonths = new Map(
    nights.map(({ extractedAt, snapshot }): [string, Reading] => [
      snapshot,
      { gameId, snapshot, at: extractedAt, isHeld: false, isInMonth: true, hasFolder: false }
    ])
  )
  for (const { folder, manifest } of yield* snapshotsOf(gameId)) {
    const { extractedAt, snapshot } = manifest
    const held = yield* Effect.orElseSucceed(readHeldBack(folder), () => null)
    const isInMonth = inMonths.has(snapshot)
    inMonths.set(snapshot, { gameId, snapshot, at: extractedAt, isHeld: held !== null, isInMonth, hasFolder: true })
  }
  return [...inMonths.values()]
})

const reportedSteps = Effect.map(listRuns, (runs) =>
  runs.flatMap(({ games, kind, run, startedAt, why }) =>
    games.flatMap(({ gameId, snapshot, verdict }): ReadonlyArray<Publication> =>
      verdict === "published" && snapshot !== null ? [{ run, kind, gameId, snapshot, at: startedAt, why }] : []
    )
  )
)

/** Only what lies in a folder can be published; of several the one that the lake holds, else the last one. */
const withFolders = (
  current: Current,
  hasFolder: (one: Named) => boolean,
  isLive: (one: Named) => boolean
): Current => ({
  ...current,
  games: Object.fromEntries(
    Object.entries(current.games).flatMap(([gameId, game]) => {
      const published = game.published.filter((snapshot) => hasFolder({ gameId, snapshot }))
      const live = published.find((snapshot) => isLive({ gameId, snapshot }))
      const last = hasFolder({ gameId, snapshot: game.snapshot }) ? game.snapshot : published.at(-1)
      const snapshot = live ?? last
      return snapshot === undefined ? [] : [[gameId, { snapshot, published }]]
    })
  )
})
