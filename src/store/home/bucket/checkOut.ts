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
import { isMissing, isDamaged, type LakeCommit } from "./documents.ts"
import {
  emptyLake,
  type LakeHead,
  lastSeen,
  type OpenGame,
  openGame,
  openLake,
  type OpenLake,
  readGame,
  readLake,
  readPublished
} from "./gameInBucket.ts"
import { type CheckedOut, makePlaceholders, placeAll, placeNight, type Placeholders } from "./placeholders.ts"

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

interface CheckOutOptions extends Need {
  /** Reads the newest commit of the lake; default: fails if it is missing or damaged. */
  readonly lake?: (
    store: BucketStore,
    known?: number
  ) => Effect.Effect<LakeHead | null, BucketFailed | BucketBusy | LakeError>
  /** The newest commit of the lake, if it was just read. */
  readonly lakeNow?: LakeHead | null
  /** True if games with missing commits or lists are skipped, by a writer while there are others; default: it fails. */
  readonly skipsDamaged?: boolean
}

/** Opens the needed games, and the lake that they were published in. */
const openGames = Effect.fnUntraced(function* (
  store: BucketStore,
  root: string,
  { lake: read = readLake, lakeNow, skipsDamaged = false, ...need }: CheckOutOptions
) {
  const home = homeIn(root)
  const found = lakeNow === undefined ? yield* read(store) : lakeNow
  const published = found?.commit.games ?? {}
  const names =
    need.games ?? (need.of === "published" ? Object.keys(published) : yield* store.folders("games")).toSorted()
  const games = new Map<string, CheckedOut>()
  const damagedGames = new Map<string, BucketFailed>()
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
        if (need.folders === "all") yield* opened.folders()
        for (const snapshot of opened.snapshots) yield* opened.folder(relative(root, home.snapshot(gameId, snapshot)))
        games.set(gameId, { opened, placed: new Set() })
      },
      (opening, gameId) =>
        Effect.catchIf(opening, isDamaged, (error) => Effect.sync(() => damagedGames.set(gameId, error)))
    ),
    { concurrency: 16, discard: true }
  )
  const [firstUnreadable] = damagedGames.values()
  const isLeft = skipsDamaged && (games.size > 0 || need.of === "published")
  if (firstUnreadable !== undefined && !isLeft) return yield* firstUnreadable
  // A commit that a game has seen exists, even if a list lags.
  const seen = lastSeen(Array.from(games.values(), ({ opened }) => opened.state))
  const lake = seen > (found?.number ?? 0) ? yield* read(store, seen) : found
  return { games, lake, damagedGames }
})

/** Returns what the games publish, as the document of a home. */
export const makeCurrent = (games: ReadonlyMap<string, CheckedOut>, lake: LakeHead | null): Current => ({
  games: Object.fromEntries(
    Array.from(games, ([gameId, { opened }]) => [gameId, opened.state] as const).flatMap(([gameId, state]) =>
      state.live === null ? [] : [[gameId, { snapshot: state.live, published: state.published }] as const]
    )
  ),
  history: [...games.values()].flatMap(({ opened }) => listPublications(opened, lake?.commit ?? emptyLake))
})

/** Places the files of the lake, and the reports of the needed months. */
const placeLake = Effect.fnUntraced(function* (
  here: Placeholders,
  lake: OpenLake,
  { skipsDamaged, of, runs }: CheckOutOptions
) {
  yield* here.placeFiles(null, "", lake.files)
  const months = Object.keys(lake.months).toSorted()
  const readMonth = (name: string) =>
    Effect.catchIf(
      lake.folders([name]),
      // A copy can do without a list of reports, which only a repair rebuilds.
      (error) => isMissing(error) && of === "published" && skipsDamaged === true,
      ({ message }) => Effect.as(Effect.logWarning(message), [])
    )
  const found = yield* Effect.forEach(runs === "all" ? months : months.slice(-2), readMonth, { concurrency: 8 })
  for (const [folder, files] of found.flat()) yield* here.placeFolder(lake, folder, files)
})

/** Returns a folder without files of the bucket as a check-out. */
export const bareCheckout = (store: BucketStore, root: string) => {
  const here = makePlaceholders(root, store)
  const remote: RemoteFiles = { ...here.remote, wholeGame: () => Effect.void }
  const [games, damagedGames] = [new Map<string, CheckedOut>(), new Map<string, BucketFailed>()]
  return { store, here, games, lakeHere: openLake(store, null), damagedGames, remote }
}

/** A private folder, the commits that its files come from, and the damage of games that were left alone. */
export type Checkout = ReturnType<typeof bareCheckout>

/** Creates the required parts of a bucket's home in a folder: the documents, and placeholders for files. */
export const checkOut = Effect.fn("checkOut")(function* (store: BucketStore, root: string, need: CheckOutOptions) {
  const home = homeIn(root)
  // A game's first night finds only reports of other games here.
  if (need.of === "newest") yield* Effect.provideService(claimHome, Home, home)
  const { games, lake, damagedGames } = yield* openGames(store, root, need)
  const bare = bareCheckout(store, root)
  const remote: RemoteFiles = {
    ...bare.remote,
    wholeGame: (gameId) => {
      const game = games.get(gameId)
      const cause = (error: unknown) => new LakeError({ step: `List ${gameId}`, cause: error })
      return game === undefined ? Effect.void : Effect.mapError(placeAll(bare.here, game), cause)
    }
  }
  const current = makeCurrent(games, lake)
  if (Object.keys(current.games).length > 0) yield* writeJson(home.current, Current, current)
  const place = need.folders === "all" ? placeAll : placeNight
  yield* Effect.forEach(games.values(), (game) => place(bare.here, game), { concurrency: 8, discard: true }).pipe(
    withRemoteFiles(remote)
  )
  const lakeHere = openLake(store, lake)
  yield* placeLake(bare.here, lakeHere, need)
  return { ...bare, games, lakeHere, damagedGames, remote } satisfies Checkout
})
