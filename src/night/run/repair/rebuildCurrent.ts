import { Clock, Effect } from "effect"
import type { SnapshotId } from "../../../feed/contract/Ids.ts"
import { lastSequence, withPublications, type Current, type NewPublication, Home } from "../../../store/home/Home.ts"
import { isMarkedHeld } from "../../../store/home/HeldBack.ts"
import { listParts, readSnapshot, readSnapshots } from "../../../store/home/Manifest.ts"
import { publicationsOfLake, snapshotsOfLake } from "../../../store/lake/repair/lostPublications.ts"
import { listRuns } from "../../observe/RunReport.ts"
import { isThere } from "../../../store/home/disk.ts"

/**
 * Rebuilds the published state from `lake.duckdb`, else from reports and months, else from all snapshots that are not
 * held. Returns it with the number of the repair. Fails with `FileDamaged` if a published snapshot is unreadable.
 */
export const rebuildCurrent = Effect.fn("rebuildCurrent")(function* (games: ReadonlyArray<string>) {
  const home = yield* Home
  const lake = yield* snapshotsOfLake
  const numbered = yield* publicationsOfLake
  // Readers may have seen lost numbers. Publications with unknown numbers get numbers that no home reaches by counting.
  const unknown = Math.floor((yield* Clock.currentTimeMillis) / 1000)
  let current: Current = withPublications({ games: {}, history: [] }, [])
  for (const gameId of games) {
    const published = lake.filter((one) => one.gameId === gameId)
    const known = numbered.filter((one) => one.gameId === gameId)
    const found = known.length > 0 ? known : yield* stepsOfReports(gameId)
    const steps = found.map((step, at): NewPublication => Object.assign({ sequence: unknown + at }, step))
    const folders = new Set(
      steps.map(({ snapshot }) => snapshot).filter((snapshot) => isThere(home.snapshot(gameId, snapshot)))
    )
    yield* Effect.forEach(folders, (snapshot) => readSnapshot(home.snapshot(gameId, snapshot)), { discard: true })
    const live = published.find(({ isCurrent, snapshot }) => isCurrent && folders.has(snapshot))?.snapshot
    current = withSteps(current, { gameId, steps, folders, live })
  }
  current = { ...current, history: current.history.toSorted((a, b) => a.sequence - b.sequence) }
  // The lake may lack the last publication, whose number readers may have seen, too.
  const last = Math.max(lastSequence(current), ...numbered.map(({ sequence }) => sequence))
  return { current, sequence: last + 2 }
})

const step = (
  gameId: string,
  { at, deploymentId = null, snapshot }: Pick<NewPublication, "at" | "snapshot"> & Partial<NewPublication>
): NewPublication => ({ run: snapshot, kind: "nightly", gameId, snapshot, deploymentId, at, why: null })

const stepsOfReports = Effect.fnUntraced(function* (gameId: string) {
  const reported = (yield* listRuns)
    .toReversed()
    .flatMap(({ games, kind, run, startedAt, why }) =>
      games.flatMap(({ deploymentId, gameId: id, snapshot, verdict }): ReadonlyArray<NewPublication> =>
        id === gameId && verdict === "published" && snapshot !== null
          ? [{ ...step(gameId, { snapshot, at: startedAt, deploymentId }), run, kind, why }]
          : []
      )
    )
  const ids = new Set(reported.map(({ snapshot }) => snapshot))
  const months = (yield* listParts(gameId)).flatMap(({ part }) => part.nights)
  // The newest night of a month may have died after writing it. A night with a successor was published.
  const followed = new Set(months.map(({ follows }) => follows))
  const inMonths = months
    .filter(({ snapshot }) => !ids.has(snapshot) && (reported.length === 0 || followed.has(snapshot)))
    .map(({ extractedAt, snapshot }) => step(gameId, { snapshot, at: extractedAt }))
  if (reported.length > 0) return byRun([...reported, ...inMonths])
  const known = new Set(months.map(({ snapshot }) => snapshot))
  const others = yield* Effect.filter(yield* readSnapshots(gameId), ({ folder, manifest }) =>
    Effect.map(isMarkedHeld(folder), (held) => !held && !known.has(manifest.snapshot))
  )
  const unreported = others.map(({ manifest }) =>
    step(gameId, { snapshot: manifest.snapshot, at: manifest.extractedAt })
  )
  return byRun([...inMonths, ...unreported])
})

const byRun = (steps: ReadonlyArray<NewPublication>) => steps.toSorted((a, b) => (a.run < b.run ? -1 : 1))

/** Selects snapshots with a folder. Of several, the one in the lake is current, else the last one. */
const withSteps = (
  current: Current,
  found: {
    readonly gameId: string
    readonly steps: ReadonlyArray<NewPublication>
    readonly folders: ReadonlySet<SnapshotId>
    readonly live: SnapshotId | undefined
  }
): Current => {
  const { folders, gameId, live, steps } = found
  const next = withPublications(current, steps)
  const game = next.games[gameId]
  const published = (game?.published ?? []).filter((snapshot) => folders.has(snapshot)).toSorted()
  const last = game !== undefined && folders.has(game.snapshot) ? game.snapshot : published.at(-1)
  const snapshot = live ?? last
  const { [gameId]: _, ...others } = next.games
  return { ...next, games: snapshot === undefined ? others : { ...others, [gameId]: { snapshot, published } } }
}
