import { join, relative } from "node:path"
import { Clock, Effect } from "effect"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { parsePlace } from "../../../store/home/bucket/bucketKeys.ts"
import { publishedIn, pullHome, homeFromBucket, homeIntoBucket } from "../../../store/home/bucket/pullHome.ts"
import { claimCopy } from "../../../store/home/claimHome.ts"
import { readCurrent, Home } from "../../../store/home/Home.ts"
import { isThere, pathsBelow, removeAll } from "../../../store/home/disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { lockHome } from "../../../store/home/lock/lockHome.ts"
import { newRunId } from "../../../store/home/newRunId.ts"
import { lakeMatches, publish } from "../../../store/lake/publish/publish.ts"
import { publishLake } from "../../run/beginRun.ts"
import { ownFromBucket, ownIntoBucket } from "./ownInBucket.ts"
import { GameNotInLake, noLake } from "../../../store/lake/publish/openLake.ts"
import { homeFolders } from "../../../store/home/homePaths.ts"
import { verifyPublished } from "../../../store/lake/repair/damages.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

/** Returns files of the copy that the bucket no longer references. */
const staleIn = Effect.fnUntraced(function* (root: string, paths: ReadonlySet<string>) {
  const entries = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  return entries
    .filter(({ kind }) => kind === "file")
    .map(({ path }) => relative(root, path))
    .filter((path) => parsePlace(path) !== null && !paths.has(path))
})

/**
 * Creates or updates a copy of these games in a bucket; an empty list selects all. It fetches new files, builds the
 * lake, and only then deletes files that the new lake does not read. The user's cards are included only on request.
 */
export const runPull = Effect.fn("runPull")(function* (
  store: BucketStore,
  games: ReadonlyArray<string>,
  withCollection: boolean
) {
  const home = yield* Home
  const startedMillis = yield* Clock.currentTimeMillis
  // A mistyped address must not create an empty copy.
  if (!isThere(home.root)) yield* publishedIn(store)
  yield* claimCopy(store.address)
  const run = yield* newRunId
  const lock = yield* lockHome("pull", run)
  const collections = withCollection ? yield* ownFromBucket(store) : []
  const { bytes, current, fetched, known, unreadable, paths } = yield* pullHome(store, games)
  const unknown = games.filter((gameId) => !known.includes(gameId))
  if (unknown.length > 0) return yield* new GameNotInLake({ wanted: unknown, games: known })
  const [firstUnreadable] = unreadable.values()
  if (firstUnreadable !== undefined && Object.keys(current.games).length === 0) return yield* firstUnreadable
  const stale = (yield* staleIn(home.root, paths)).filter((path) => !unreadable.has(parsePlace(path)?.gameId ?? ""))
  const before = yield* readCurrent
  const isNew =
    fetched + stale.length > 0 ||
    JSON.stringify(before.games) !== JSON.stringify(current.games) ||
    !isThere(home.lake) ||
    !(yield* lakeMatches(current))
  if (isNew) yield* publishLake(run, current, lock)
  yield* removeAll("Remove what is no longer published", [
    ...stale.map((path) => join(home.root, path)),
    home.work(run)
  ])
  return {
    home: home.root,
    from: store.address,
    games: Object.keys(current.games).sort(),
    fetched,
    bytes,
    removed: stale.length,
    /** True if `lake.duckdb` was rebuilt. */
    isNew,
    /** The user's collections that were copied on request. */
    collections,
    /** Games with missing or damaged objects in the bucket. The copy keeps their earlier data. */
    lost: Array.from(unreadable, ([game, { message }]) => ({ game, reason: message })),
    seconds: ((yield* Clock.currentTimeMillis) - startedMillis) / 1000
  }
}, Effect.scoped)

export type PulledLake = Effect.Success<ReturnType<typeof runPull>>

/** Fails if a copy of the home in a bucket would be incomplete. */
const canBeCopied = Effect.gen(function* () {
  const { root } = yield* Home
  const found = yield* lakeStep(`List ${root}`, (disk) => pathsBelow(disk, root))
  const unsupported = found
    .filter(({ kind }) => kind !== "file" && kind !== "folder")
    .map(({ path }) => path)
    .find((path) => homeFolders.includes(relative(root, path).split("/")[0] ?? ""))
  if (unsupported !== undefined)
    return yield* new Fault(
      "NotAFile",
      `${unsupported} is a link, a pipe or a device, which a bucket cannot store. Nothing was changed. Replace it by a file or folder, then run it again`
    )
  yield* verifyPublished(yield* readCurrent)
})

/** Copies a home into a bucket. The user's cards are included only on request. */
export const runMoveIn = Effect.fn("runMoveIn")(function* (store: BucketStore, withCollection: boolean) {
  // A mistyped folder must not be created.
  if (!isThere((yield* Home).root)) return yield* noLake
  const beside = Effect.andThen(canBeCopied, withCollection ? ownIntoBucket(store) : Effect.succeed([]))
  const { put, ...moved } = yield* homeIntoBucket(store, beside)
  return { ...moved, collections: put }
})

/** Copies a home out of a bucket, with everything that a night needs, and builds its lake. */
export const runMoveOut = Effect.fn("runMoveOut")(function* (store: BucketStore, withCollection: boolean) {
  const moved = yield* homeFromBucket(store)
  const run = yield* newRunId
  yield* publish(run, yield* readCurrent, yield* lockHome("move", run))
  return { ...moved, collections: withCollection ? yield* ownFromBucket(store) : [] }
}, Effect.scoped)
