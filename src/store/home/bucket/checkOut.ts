import { relative } from "node:path"
import { Effect } from "effect"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { Current, type Publication, Home, homeIn } from "../Home.ts"
import { claimHome } from "../claimHome.ts"
import { writeJson } from "../jsonFile.ts"
import { LakeError } from "../../../feed/reading/LakeError.ts"
import { type RemoteFiles, withRemoteFiles } from "../../../feed/reading/RemoteFiles.ts"
import type { BucketBusy, BucketFailed } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument, isLost } from "./bucketDocuments.ts"
import { type LakeCommit, type ListedFolder, MonthOfRuns } from "./documents.ts"
import { emptyLake, type LakeHead, type OpenGame, openGame, readGame, readPublished, readLake } from "./gameInBucket.ts"
import { makeHollowFiles } from "./hollowFiles.ts"
import { type CheckedOut, placeAll, placeNight, type Placing, unpack } from "./placeGame.ts"

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

/** Returns a game's publications. Those that no commit of the lake has numbered would get the next number. */
export const listPublications = (
  { gameId, state }: OpenGame,
  { games, sequence }: Pick<LakeCommit, "games" | "sequence">
): ReadonlyArray<Publication> =>
  state.steps.map(([run, kind, snapshot, deploymentId, at, why, backfill]) => ({
    sequence: games[gameId]?.sequences[run] ?? sequence + 1,
    run,
    kind,
    gameId,
    snapshot: snapshot ?? SnapshotId.make(run),
    deploymentId,
    at,
    why,
    ...(backfill === null ? {} : { backfill })
  }))

const asLakeStep = <A, E, R>(step: string, effect: Effect.Effect<A, E, R>): Effect.Effect<A, LakeError, R> =>
  Effect.mapError(effect, (cause) => new LakeError({ step, cause }))

interface CheckOutOptions extends Need {
  /** Reads the newest commit of the lake; default: fails if it is missing or damaged. */
  readonly lake?: (store: BucketStore, known?: number) => Effect.Effect<LakeHead | null, BucketFailed | BucketBusy>
  /** The newest commit of the lake, if it was just read. */
  readonly lakeNow?: LakeHead | null
  /** True if games with missing commits are skipped while there are others; default: the command fails. */
  readonly leavesLost?: boolean
}

/** Opens the needed games, and the lake that they were published in. */
const openGames = Effect.fnUntraced(function* (
  store: BucketStore,
  root: string,
  { lake: read = readLake, lakeNow, leavesLost = false, ...need }: CheckOutOptions
) {
  const home = homeIn(root)
  const found = lakeNow === undefined ? yield* read(store) : lakeNow
  const published = found?.commit.games ?? {}
  const names =
    need.games ?? (need.of === "published" ? Object.keys(published) : yield* store.folders("games")).toSorted()
  const games = new Map<string, CheckedOut>()
  const lost = new Map<string, BucketFailed>()
  yield* Effect.forEach(
    names,
    Effect.fnUntraced(
      function* (gameId) {
        const named = published[gameId]
        if (named === undefined && need.of === "published") return
        const head =
          named !== undefined && need.of === "published"
            ? yield* readPublished(store, gameId, named)
            : yield* readGame(store, gameId, named)
        const opened = openGame(store, gameId, head)
        // Missing months are detected here, before any file of the game is created.
        for (const snapshot of [...(opened.state.live === null ? [] : [opened.state.live]), ...opened.state.held])
          yield* opened.folder(relative(root, home.snapshot(gameId, snapshot)))
        games.set(gameId, { opened, placed: new Set() })
      },
      (opening, gameId) => Effect.catchIf(opening, isLost, (error) => Effect.sync(() => lost.set(gameId, error)))
    ),
    { concurrency: 16, discard: true }
  )
  const [firstLost] = lost.values()
  if (firstLost !== undefined && (!leavesLost || games.size === 0)) return yield* firstLost
  // A commit that a game has seen exists, even if a list lags.
  const seen = Math.max(0, ...[...games.values()].map(({ opened }) => opened.state.lake))
  const lake = seen > (found?.number ?? 0) ? yield* read(store, seen) : found
  return { games, lake, lostGames: new Map([...lost].map(([gameId, { message }]) => [gameId, message])) }
})

/** Returns what the games publish, as the document of a home. */
const currentOf = (games: ReadonlyMap<string, CheckedOut>, lake: LakeHead | null): Current => ({
  games: Object.fromEntries(
    Array.from(games, ([gameId, { opened }]) => [gameId, opened.state] as const).flatMap(([gameId, state]) =>
      state.live === null ? [] : [[gameId, { snapshot: state.live, published: state.published }] as const]
    )
  ),
  history: [...games.values()].flatMap(({ opened }) => listPublications(opened, lake?.commit ?? emptyLake))
})

/** Places the files of the lake, and the reports of the needed months. */
const placeLake = Effect.fnUntraced(function* ({ hollow, store }: Placing, lake: LakeHead | null, need: Need["runs"]) {
  const { files, runs: refs } = lake?.commit ?? emptyLake
  yield* hollow.place(null, "", files)
  const months = Object.keys(refs).toSorted()
  const runs = new Map<string, MonthOfRuns>()
  for (const month of need === "all" ? months : months.slice(-2)) {
    const ref = refs[month]
    if (ref === undefined) continue
    const found = yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
    runs.set(month, found)
    yield* hollow.place(null, "", {
      attempt: found.attempt,
      files: Object.fromEntries(Object.entries(found.runs).map(([run, file]) => [`runs/${run}.json`, file]))
    })
  }
  return runs
})

/** Creates the required parts of a bucket's home in a folder: the documents, and placeholders for files. */
export const checkOut = Effect.fn("checkOut")(function* (store: BucketStore, root: string, need: CheckOutOptions) {
  const home = homeIn(root)
  // A game's first night finds only reports of other games here.
  if (need.of === "newest") yield* Effect.provideService(claimHome, Home, home)
  const hollow = makeHollowFiles(root, store)
  const { games, lake, lostGames } = yield* openGames(store, root, need)
  const packed = new Map<string, ListedFolder>()
  const placing: Placing = { store, home, hollow, packed }
  const standIns: RemoteFiles = {
    obtain: (path) =>
      hollow.known.has(path) || packed.size === 0
        ? hollow.obtain(path)
        : asLakeStep(`Find ${path}`, unpack(placing, path)).pipe(Effect.andThen(hollow.obtain(path))),
    sumOf: hollow.sumOf,
    sizeOf: hollow.sizeOf,
    isStored: hollow.isStored,
    wholeGame: (gameId) => {
      const game = games.get(gameId)
      return game === undefined ? Effect.void : asLakeStep(`List ${gameId}`, placeAll(placing, game))
    }
  }
  const current = currentOf(games, lake)
  if (Object.keys(current.games).length > 0) yield* writeJson(home.current, Current, current)
  const place = need.folders === "all" ? placeAll : placeNight
  yield* Effect.forEach(games.values(), (game) => place(placing, game), { concurrency: 8, discard: true }).pipe(
    withRemoteFiles(standIns)
  )
  const runs = yield* placeLake(placing, lake, need.runs)
  /** The keys of objects that this command has already stored. */
  const stored = new Set<string>()
  return { store, root, lake, games, lostGames, runs, hollow, packed, standIns, stored }
})

export type Checkout = Effect.Success<ReturnType<typeof checkOut>>
