import { join, relative } from "node:path"
import { Effect } from "effect"
import { homeFormat } from "../HomeMarker.ts"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Current, type Publication, Home, homeIn } from "../Home.ts"
import { claimHome } from "../claimHome.ts"
import { isThere } from "../disk.ts"
import { readJson, writeJson } from "../jsonFile.ts"
import { LakeError } from "../../../feed/reading/LakeError.ts"
import { Manifest } from "../Manifest.ts"
import { rawRunsOf } from "../../../feed/contract/Via.ts"
import { type RemoteFiles, withRemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import type { BucketFailed } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, isLost } from "./bucketDocuments.ts"
import { type GameDocument, type LakeDocument, type ListedFolder, MonthOfRuns } from "./documents.ts"
import { fetchList, type OpenState, openState, readKnownGame } from "./gameInBucket.ts"
import { type mendLake, readLake } from "./lakeInBucket.ts"
import { makeHollowFiles, standInName } from "./hollowFiles.ts"
import { placeOf } from "./placeOf.ts"

/** The parts of a home in a bucket that a command needs. */
export interface Need {
  /** Null for all games. */
  readonly games: ReadonlyArray<string> | null
  /** `newest`: the newest stored state, to continue from it; `published`: the state in the lake. */
  readonly of: "newest" | "published"
  /** `night`: only the folders that a reading is compared with; `all`: every folder. */
  readonly folders: "night" | "all"
  /** The reports of the last two months, or all. */
  readonly runs: "recent" | "all"
}

export const emptyLake: LakeDocument = {
  format: homeFormat,
  games: {},
  runs: {},
  files: { attempt: "", files: {} },
  leaving: [],
  prunes: 0,
  writers: []
}

/** A checked-out game. */
export interface CheckedOut {
  readonly opened: OpenState
  /** Null if the game has no document yet, or if the newest state was not required. */
  readonly document: GameDocument | null
  readonly number: number
  /** Folders with placeholders here. The others remain unchanged in the bucket. */
  readonly placed: Set<string>
}

export const publicationsOf = ({ gameId, state }: OpenState): ReadonlyArray<Publication> =>
  state.steps.map(([run, kind, snapshot, at, why]) => ({
    run,
    kind,
    gameId,
    snapshot: snapshot ?? SnapshotId.make(run),
    at,
    why
  }))

const asLakeStep = <A, E, R>(step: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, LakeError, R> =>
  Effect.mapError(effect, (cause) => new LakeError({ step, cause }))

interface CheckOutOptions extends Need {
  /** Reads the lake's document; default: fails if it is missing or damaged. */
  readonly lake?: ReturnType<typeof mendLake | typeof readLake>
  /** True if games with missing documents are skipped while there are others; default: the command fails. */
  readonly leavesLost?: boolean
}

/** Creates the required parts of a bucket's home in a folder: the documents, and placeholders for files. */
export const checkOut = Effect.fn("checkOut")(function* (
  store: BucketStore,
  root: string,
  { lake: lakeNow = readLake(store), leavesLost = false, ...need }: CheckOutOptions
) {
  const home = homeIn(root)
  // A game's first night finds only reports of other games here.
  if (need.of === "newest") yield* Effect.provideService(claimHome, Home, home)
  const hollow = makeHollowFiles(root, store)
  const lake = (yield* lakeNow) ?? emptyLake
  const names =
    need.games ?? (need.of === "published" ? Object.keys(lake.games) : yield* store.folders("games")).toSorted()
  const games = new Map<string, CheckedOut>()
  const lost = new Map<string, BucketFailed>()
  yield* Effect.forEach(
    names,
    Effect.fnUntraced(
      function* (gameId) {
        const published = lake.games[gameId]
        const document = need.of === "newest" ? yield* readKnownGame(store, gameId, published) : null
        const ref = need.of === "newest" ? (document?.state ?? null) : (published?.state ?? null)
        if (ref === null && need.of === "published") return
        const opened = yield* openState(store, gameId, ref)
        // Missing months are detected here, before any file of the game is created.
        for (const snapshot of [...(opened.state.live === null ? [] : [opened.state.live]), ...opened.state.held])
          yield* opened.folder(relative(root, home.snapshot(gameId, snapshot)))
        games.set(gameId, { opened, document, number: document?.number ?? published?.number ?? 0, placed: new Set() })
      },
      (opening, gameId) => Effect.catchIf(opening, isLost, (error) => Effect.sync(() => lost.set(gameId, error)))
    ),
    { concurrency: 16, discard: true }
  )
  const [firstLost] = lost.values()
  if (firstLost !== undefined && (!leavesLost || games.size === 0)) return yield* firstLost

  /** Folders with many files, each with one placeholder until one of its files is read. */
  const packed = new Map<string, ListedFolder>()

  const placeFolder = Effect.fnUntraced(function* (game: CheckedOut, path: string) {
    if (game.placed.has(path)) return
    const { gameId } = game.opened
    const found = yield* game.opened.folder(path)
    if (found === null) return
    game.placed.add(path)
    if (!("list" in found)) return yield* hollow.place(gameId, path, found)
    packed.set(path, found)
    yield* hollow.place(gameId, path, { attempt: found.list.attempt, files: { [standInName]: ["", found.sizeBytes] } })
  })

  const unpack = Effect.fnUntraced(function* (file: string) {
    const { folder, gameId } = placeOf(relative(root, file)) ?? {}
    const found = packed.get(folder ?? "")
    if (found === undefined || typeof folder !== "string" || typeof gameId !== "string") return
    const list = yield* fetchList(store, gameId, found)
    if (!packed.delete(folder)) return
    hollow.unplace(join(root, folder, standInName))
    yield* hollow.place(gameId, folder, list)
  })

  /** Places the published snapshot with its raw pages, and the held snapshots. */
  const placeNight = Effect.fnUntraced(function* (game: CheckedOut) {
    const { gameId, state } = game.opened
    yield* hollow.place(gameId, "", state.files)
    for (const snapshot of [...(state.live === null ? [] : [state.live]), ...state.held]) {
      yield* placeFolder(game, relative(root, home.snapshot(gameId, snapshot)))
      yield* placeFolder(game, relative(root, home.changes(gameId, snapshot)))
    }
    if (Object.keys(state.files.files).some((name) => name.startsWith("backfill/"))) yield* placeBackfill(game)
    if (state.live === null) return
    const live = home.snapshot(gameId, state.live)
    const manifest = yield* readJson(join(live, "manifest.json"), Manifest)
    // After a rollback, the prices of the published snapshot may be in its month.
    if (Object.keys(manifest.tables).some((table) => !isThere(join(live, `${table}.parquet`)))) yield* placeMonths(game)
    for (const run of new Set(rawRunsOf(manifest))) yield* placeFolder(game, relative(root, home.raw(gameId, run)))
  })

  const placeFolders = Effect.fnUntraced(function* (game: CheckedOut, isWanted: (path: string) => boolean) {
    for (const name of Object.keys(game.opened.state.months))
      for (const path of Object.keys((yield* game.opened.month(name)).folders).filter(isWanted))
        yield* placeFolder(game, path)
  })

  const placeBackfill = Effect.fnUntraced(function* (game: CheckedOut) {
    yield* placeFolders(game, (path) => path.includes("/backfill/part=") || path.endsWith("/answers"))
    yield* unpack(join(home.backfillAnswers(game.opened.gameId), "any"))
  })

  const placeMonths = (game: CheckedOut) => placeFolders(game, (path) => path.includes("/month="))

  const placeAll = Effect.fnUntraced(function* (game: CheckedOut) {
    yield* hollow.place(game.opened.gameId, "", game.opened.state.files)
    const months = yield* Effect.forEach(Object.keys(game.opened.state.months), game.opened.month, { concurrency: 8 })
    for (const { folders } of months) for (const path of Object.keys(folders)) yield* placeFolder(game, path)
  })

  const standIns: RemoteFiles = {
    obtain: (path) =>
      hollow.known.has(path) || packed.size === 0
        ? hollow.obtain(path)
        : asLakeStep(`Find ${path}`, unpack(path)).pipe(Effect.andThen(hollow.obtain(path))),
    sumOf: hollow.sumOf,
    sizeOf: hollow.sizeOf,
    isStored: hollow.isStored,
    wholeGame: (gameId) => {
      const game = games.get(gameId)
      return game === undefined ? Effect.void : asLakeStep(`List ${gameId}`, placeAll(game))
    }
  }

  const published: Current = {
    games: Object.fromEntries(
      [...games].flatMap(
        ([
          gameId,
          {
            opened: { state }
          }
        ]) => (state.live === null ? [] : [[gameId, { snapshot: state.live, published: state.published }] as const])
      )
    ),
    history: [...games.values()].flatMap(({ opened }) => publicationsOf(opened))
  }
  if (Object.keys(published.games).length > 0) yield* writeJson(home.current, Current, published)
  yield* Effect.forEach(games.values(), need.folders === "all" ? placeAll : placeNight, {
    concurrency: 8,
    discard: true
  }).pipe(withRemoteFiles(standIns))
  yield* hollow.place(null, "", lake.files)

  const months = Object.keys(lake.runs).toSorted()
  const runs = new Map<string, MonthOfRuns>()
  for (const month of need.runs === "all" ? months : months.slice(-2)) {
    const ref = lake.runs[month]
    if (ref === undefined) continue
    const found = yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
    runs.set(month, found)
    yield* hollow.place(null, "", {
      attempt: found.attempt,
      files: Object.fromEntries(Object.entries(found.runs).map(([run, file]) => [`runs/${run}.json`, file]))
    })
  }
  /** The keys of objects that this command has already stored. */
  const stored = new Set<string>()
  const lostGames = new Map([...lost].map(([gameId, { message }]) => [gameId, message]))
  return { store, root, lake, games, lostGames, runs, hollow, packed, standIns, stored }
})

export type Checkout = Effect.Success<ReturnType<typeof checkOut>>
