import { existsSync } from "node:fs"
import { readdir, rm, stat } from "node:fs/promises"
import { hostname } from "node:os"
import { join } from "node:path"
import { Clock, Effect } from "effect"
import { wasPublished, type Current } from "./Current.ts"
import { Home } from "./Home.ts"
import type { HomePaths } from "./homePaths.ts"
import { lakeStep } from "./LakeError.ts"
import { spillFolderIsIdle } from "./spillFolder.ts"

/**
 * Removes what a run left that died before its commit: its work folder, half-written documents, snapshots that were neither published nor
 * held, changes without a snapshot. Only for the one who holds the home's lock. Answers the paths it removed, relative to the home.
 */
export const repairHome = Effect.fn("repairHome")(function* (current: Current) {
  const home = yield* Home
  const now = yield* Clock.currentTimeMillis
  return yield* lakeStep(`Repair ${home.root}`, async () => {
    const files = await leftParts(home)
    await Promise.all(files.map((path) => rm(join(home.root, path), { force: true })))
    const folders = [...(await leftWork(home, now)), ...(await leftSnapshots(home, current))]
    await Promise.all(folders.map((path) => removeFolder(join(home.root, path))))
    const changes = await leftChanges(home)
    await Promise.all(changes.map((path) => removeFolder(join(home.root, path))))
    return [...files, ...folders, ...changes]
  })
})

/** Removes a snapshot, a part or any other folder; a snapshot or part stops being one with the first step. */
export const removeFolder = async (folder: string): Promise<void> => {
  await rm(join(folder, "manifest.json"), { force: true })
  await rm(join(folder, "part.json"), { force: true })
  await rm(folder, { recursive: true, force: true })
}

const namesIn = async (folder: string): Promise<ReadonlyArray<string>> =>
  existsSync(folder) ? (await readdir(folder)).sort() : []

/** Spill folders belong to any process that reads, too. */
const leftWork = async (home: HomePaths, now: number) => {
  const names = await namesIn(home.work(""))
  const idle = await Promise.all(
    names.map(async (name) => {
      const { mtimeMs } = await stat(home.work(name))
      return spillFolderIsIdle(name, hostname(), now - mtimeMs)
    })
  )
  return names.filter((_, index) => idle[index]).map((name) => join("work", name))
}

const leftParts = async (home: HomePaths) => {
  const isPart = (name: string) => name.endsWith(".part") || name.startsWith(".probe-")
  const inRoot = (await namesIn(home.root)).filter(isPart)
  const inRuns = (await namesIn(home.runs)).filter(isPart).map((name) => join("runs", name))
  const lists = ["deployments", "history"]
  const found = await Promise.all(
    lists.map(async (list) => (await namesIn(join(home.root, list))).map((game) => join(list, game)))
  )
  const games = found.flat()
  const inGames = await Promise.all(
    games.map(async (game) => (await namesIn(join(home.root, game))).filter(isPart).map((name) => join(game, name)))
  )
  return [...inRoot, ...inRuns, ...inGames.flat()]
}

const perGame = async (home: HomePaths, list: string, prefix: string) => {
  const games = (await namesIn(join(home.root, list))).filter((name) => name.startsWith("game="))
  const found = await Promise.all(
    games.map(async (game) =>
      (await namesIn(join(home.root, list, game)))
        .filter((name) => name.startsWith(prefix))
        .map((name) => ({ gameId: game.slice(5), id: name.slice(prefix.length), path: join(list, game, name) }))
    )
  )
  return found.flat()
}

const leftSnapshots = async (home: HomePaths, current: Current) =>
  (await perGame(home, "snapshots", "snapshot="))
    .filter(({ gameId, id, path }) => {
      const has = (name: string) => existsSync(join(home.root, path, name))
      if (!has("manifest.json")) return true
      if (current.games[gameId]?.published.includes(id) === true) return false
      // Published once and no longer listed: a prune died before it had removed the folder.
      return wasPublished(current, gameId, id) || !has("held.json")
    })
    .map(({ path }) => path)

const leftChanges = async (home: HomePaths) =>
  (await perGame(home, "changes", "to="))
    .filter(({ gameId, id }) => !existsSync(home.snapshot(gameId, id)))
    .map(({ path }) => path)
