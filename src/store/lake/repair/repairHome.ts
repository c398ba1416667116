import { join, relative } from "node:path"
import { modifiedMillis, Processes, lookAt } from "../../../feed/disk/Disk.ts"
import { Clock, Effect } from "effect"
import { type RunId, SnapshotId } from "../../../feed/contract/Ids.ts"
import { type Current, wasPublished, Home } from "../../home/Home.ts"
import { foldersIn, namesIn, removeAll } from "../../home/disk.ts"
import { isMarkedHeld } from "../../home/HeldBack.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { runMillis, wasHeld } from "../../home/newRunId.ts"
import { spillFolderIsIdle } from "../duckdb/Lake.ts"
import { listSnapshotIds } from "../../home/Manifest.ts"
import { forgetSetAside, isSetAside, setAside } from "../../home/setAside.ts"

/**
 * Cleans a home after a run that died before its commit; requires the lock. Deletes only scratch. Incomplete documents,
 * orphaned changes, and snapshots neither published nor held are set aside for a week. Returns paths relative to the
 * home: those, and unknown names in `work`, which it does not move.
 */
export const repairHome = Effect.fn("repairHome")(function* (run: RunId, current: Current) {
  const home = yield* Home
  const foreign = yield* removeScratch
  yield* forgetSetAside(run)
  const paths = [...(yield* halfWritten), ...(yield* unpublished(current))]
  yield* setAside(run, paths)
  const orphans = yield* orphanedChanges(current)
  yield* setAside(run, orphans)
  return {
    setAside: [...paths, ...orphans].map((path) => relative(home.root, path)),
    foreign: foreign.map((name) => join("work", name))
  }
})

/** Deletes the scratch of dead runs and processes; returns the other names in `work`. */
const removeScratch = Effect.gen(function* () {
  const home = yield* Home
  const now = yield* Clock.currentTimeMillis
  const processes = yield* Processes
  const names = (yield* namesIn(home.work(""))).filter((name) => !isSetAside(name))
  const spilled = names.filter((name) => name.startsWith("spill-"))
  const scratch = names.filter((name) => runMillis(name) !== null)
  const step = "Remove the scratch of runs that ended"
  const idle = yield* Effect.filter(spilled, (name) =>
    Effect.map(
      lakeStep(step, async (disk) => modifiedMillis(lookAt(disk, home.work(name)))),
      (changedMillis) => spillFolderIsIdle(processes, name, now - changedMillis)
    )
  )
  yield* removeAll(step, [...scratch, ...idle].map(home.work))
  return names.filter((name) => !scratch.includes(name) && !spilled.includes(name))
})

/** Returns incomplete documents of a run. Matches only Cardlake's names, because other `.part` files are the user's. */
const halfWritten = Effect.gen(function* () {
  const { root } = yield* Home
  const inFolders = Effect.fnUntraced(function* (list: string, isOurs: RegExp) {
    const folders = (yield* foldersIn(join(root, list), "game=")).map((gameId) => join(root, list, `game=${gameId}`))
    const found = yield* Effect.forEach(folders, (folder) => filesIn(folder, isOurs))
    return found.flat()
  })
  return [
    ...(yield* filesIn(root, /^(current\.json|lake\.duckdb\.sha256|fx_rates\.parquet(\.sha256)?)\.part$/)),
    ...(yield* leftByStarters),
    ...(yield* filesIn(join(root, "runs"), /^\d{8}T\d{9}Z-[0-9a-f]{4}\.json\.part$/)),
    ...(yield* inFolders("deployments", /^deployment(s|_changes)\.parquet(\.sha256)?\.part$/)),
    ...(yield* inFolders("history", /^confirmations\.json\.part$/))
  ]
})

/** Maximum lifetime of the files that a process writes before it requests the lock. */
const starterMillis = 60_000

const leftByStarters = Effect.gen(function* () {
  const { lock, root } = yield* Home
  const files = yield* filesIn(root, /^cardlake\.json\.[0-9a-f]{8}\.part$|^\.probe-\d+$/)
  if (files.length === 0) return []
  return yield* lakeStep("List what starting runs left", async (disk) => {
    const now = modifiedMillis(lookAt(disk, lock))
    return files.filter((file) => {
      const found = disk.look(file)
      return found !== null && now - modifiedMillis(found) > starterMillis
    })
  })
})

const filesIn = (folder: string, isOurs: RegExp) =>
  Effect.map(namesIn(folder), (names) => names.filter((name) => isOurs.test(name)).map((name) => join(folder, name)))

/** Returns snapshots that no run published or held, left by a run that died before its commit or by a killed prune. */
const unpublished = Effect.fnUntraced(function* (current: Current) {
  const home = yield* Home
  const found: Array<string> = []
  for (const gameId of yield* foldersIn(home.snapshots, "game=")) {
    for (const snapshot of yield* listSnapshotIds(gameId)) {
      const folder = home.snapshot(gameId, snapshot)
      if (runMillis(snapshot) === null || current.games[gameId]?.published.includes(snapshot) === true) continue
      const isHeld =
        !wasPublished(current, gameId, snapshot) &&
        ((yield* isMarkedHeld(folder)) || (yield* wasHeld(gameId, snapshot)))
      if (!isHeld) found.push(folder)
    }
  }
  return found
})

const orphanedChanges = Effect.fnUntraced(function* (current: Current) {
  const home = yield* Home
  const found: Array<string> = []
  for (const gameId of yield* foldersIn(join(home.root, "changes"), "game=")) {
    const snapshots = new Set([...(yield* listSnapshotIds(gameId)), ...(current.games[gameId]?.published ?? [])])
    for (const name of yield* foldersIn(join(home.root, "changes", `game=${gameId}`), "to=")) {
      const snapshot = SnapshotId.make(name)
      if (!snapshots.has(snapshot) && runMillis(snapshot) !== null) found.push(home.changes(gameId, snapshot))
    }
  }
  return found
})
