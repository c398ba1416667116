import { join, relative } from "node:path"
import { Effect } from "effect"
import { listRawRuns } from "../../../feed/contract/Via.ts"
import { isThere } from "../disk.ts"
import type { HomePaths } from "../homePaths.ts"
import { readJson } from "../jsonFile.ts"
import { Manifest } from "../Manifest.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { ListedFolder } from "./documents.ts"
import { fetchList, type OpenGame } from "./gameInBucket.ts"
import { type makeHollowFiles, standInName } from "./hollowFiles.ts"
import { placeOf } from "./placeOf.ts"

/** A checked-out game. */
export interface CheckedOut {
  readonly opened: OpenGame
  /** Folders with placeholders here. The others remain unchanged in the bucket. */
  readonly placed: Set<string>
}

/** A folder in which placeholders are created. */
export interface Placing {
  readonly store: BucketStore
  readonly home: HomePaths
  readonly hollow: ReturnType<typeof makeHollowFiles>
  /** Folders with many files, each with one placeholder until one of its files is read. */
  readonly packed: Map<string, ListedFolder>
}

const placeFolder = Effect.fnUntraced(function* ({ hollow, packed }: Placing, game: CheckedOut, path: string) {
  if (game.placed.has(path)) return
  const { gameId } = game.opened
  const found = yield* game.opened.folder(path)
  if (found === null) return
  game.placed.add(path)
  if (!("list" in found)) return yield* hollow.place(gameId, path, found)
  packed.set(path, found)
  yield* hollow.place(gameId, path, { attempt: found.list.attempt, files: { [standInName]: ["", found.sizeBytes] } })
})

/** Replaces the placeholder of a folder with many files by those of its files. */
export const unpack = Effect.fnUntraced(function* ({ hollow, home, packed, store }: Placing, file: string) {
  const { folder, gameId } = placeOf(relative(home.root, file)) ?? {}
  const found = packed.get(folder ?? "")
  if (found === undefined || typeof folder !== "string" || typeof gameId !== "string") return
  const list = yield* fetchList(store, gameId, found)
  if (!packed.delete(folder)) return
  hollow.unplace(join(home.root, folder, standInName))
  yield* hollow.place(gameId, folder, list)
})

const placeFolders = Effect.fnUntraced(function* (
  placing: Placing,
  game: CheckedOut,
  isWanted: (path: string) => boolean
) {
  for (const name of Object.keys(game.opened.state.months))
    for (const path of Object.keys((yield* game.opened.month(name)).folders).filter(isWanted))
      yield* placeFolder(placing, game, path)
})

/** Places the published snapshot with its raw pages, the held snapshots, and the answers of a backfill. */
export const placeNight = Effect.fnUntraced(function* (placing: Placing, game: CheckedOut) {
  const { hollow, home } = placing
  const { gameId, state } = game.opened
  yield* hollow.place(gameId, "", state.files)
  for (const snapshot of [...(state.live === null ? [] : [state.live]), ...state.held]) {
    yield* placeFolder(placing, game, relative(home.root, home.snapshot(gameId, snapshot)))
    yield* placeFolder(placing, game, relative(home.root, home.changes(gameId, snapshot)))
  }
  if (Object.keys(state.files.files).some((name) => name.startsWith("backfill/"))) {
    yield* placeFolders(placing, game, (path) => path.includes("/backfill/part=") || path.endsWith("/answers"))
    yield* unpack(placing, join(home.backfillAnswers(gameId), "any"))
  }
  if (state.live === null) return
  const live = home.snapshot(gameId, state.live)
  const manifest = yield* readJson(join(live, "manifest.json"), Manifest)
  // After a rollback, the prices of the published snapshot may be in its month.
  if (Object.keys(manifest.tables).some((table) => !isThere(join(live, `${table}.parquet`))))
    yield* placeFolders(placing, game, (path) => path.includes("/month="))
  for (const run of new Set(listRawRuns(manifest)))
    yield* placeFolder(placing, game, relative(home.root, home.raw(gameId, run)))
})

/** Places all folders of a game. */
export const placeAll = Effect.fnUntraced(function* (placing: Placing, game: CheckedOut) {
  const { month, state } = game.opened
  yield* placing.hollow.place(game.opened.gameId, "", state.files)
  const months = yield* Effect.forEach(Object.keys(state.months), month, { concurrency: 8 })
  for (const { folders } of months) for (const path of Object.keys(folders)) yield* placeFolder(placing, game, path)
})
