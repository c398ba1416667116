import { relative } from "node:path"
import { Effect } from "effect"
import { Home, type Current, readCurrent, homeIn } from "../Home.ts"
import { fileSha256, privateFolder, removeAll, namesIn } from "../disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { BucketStore } from "./BucketStore.ts"
import { isDamaged } from "./documents.ts"
import { type HomeFile, keyOfFile, partOfFile } from "./bucketKeys.ts"
import { checkOut, makeCurrent, bareCheckout } from "./checkOut.ts"
import { BucketBare } from "./homeAddress.ts"
import { readLake } from "./gameInBucket.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"
import { claimHome } from "../claimHome.ts"
import { lockHome } from "../lock/lockHome.ts"
import { newRunId } from "../newRunId.ts"
import { checkIn } from "./checkIn.ts"
import { needHome, roomForHome, checkStore } from "./homeAround.ts"
import { attemptOfObject, newAttempt } from "./log/objects.ts"
import { Fault } from "../../../feed/contract/Fault.ts"

type Wanted = HomeFile & { readonly path: string }

const fetchesAtOnce = 8

/** True for files that may be replaced under the same name. */
const mayChange = ({ path }: Wanted): boolean =>
  !/^(snapshots|history\/game=[^/]+\/(month=|backfill\/|drift\/))/.test(path)

const isMissing = Effect.fnUntraced(function* (root: string, wanted: Wanted) {
  const file = joinBelow(root, wanted.path)
  const found = yield* lakeStep(`Check ${file}`, async (disk) => disk.look(file, "links"))
  if (found?.kind !== "file" || found.sizeBytes !== wanted.sizeBytes) return true
  return mayChange(wanted) && (yield* fileSha256(file)) !== wanted.sha256
})

/** Returns the published state of a bucket; fails if nothing is published. */
export const publishedIn = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readLake(store)
  if (lake === null || Object.keys(lake.commit.games).length === 0)
    return yield* new BucketBare({ address: store.address })
  return lake
})

/** Downloads missing files. A lost report is reported and skipped; any other loss fails. */
const fetchMissing = Effect.fnUntraced(function* (store: BucketStore, root: string, files: ReadonlyArray<Wanted>) {
  const missing = yield* Effect.filter(files, (file) => isMissing(root, file), { concurrency: fetchesAtOnce })
  const fetchAll = Effect.fnUntraced(function* (wanted: ReadonlyArray<Wanted>) {
    // A checksum file belongs to its file. Without the old one, neither can count as damaged.
    const sums = wanted.filter(({ path }) => path.endsWith(".sha256"))
    yield* removeAll(
      "Make room",
      sums.map(({ path }) => joinBelow(root, path))
    )
    return yield* Effect.filter(
      wanted,
      (file) =>
        store.fetch(keyOfFile(file), joinBelow(root, file.path), file.sha256, partOfFile(file)).pipe(
          Effect.as(true),
          Effect.catchIf(
            (error) => isDamaged(error) && file.path.startsWith("runs/"),
            ({ message }) => Effect.as(Effect.logWarning(message), false)
          )
        ),
      { concurrency: fetchesAtOnce }
    )
  })
  // Replaced files come last, so that if another file of the game is lost, the copy retains its version.
  const fixed = yield* fetchAll(missing.filter((file) => !mayChange(file)))
  const fetched = [...fixed, ...(yield* fetchAll(missing.filter(mayChange)))]
  const lacking = new Set(missing)
  for (const file of fetched) lacking.delete(file)
  return { fetched, files: files.filter((file) => !lacking.has(file)) }
})

/** True for files that readers of a lake need: reports, the history, and published snapshots. */
const isOfReaders = ({ folder, path }: Wanted, published: ReadonlyArray<string>): boolean =>
  /^(snapshots|changes)\//.test(folder)
    ? published.includes(folder.slice(folder.lastIndexOf("=") + 1))
    : !/^(raw|backfill)\//.test(path)

/**
 * Downloads published files that the home's folder lacks, of these games; none means all. Files that are no longer
 * published remain. Of `unreadable` games, by id, an object is missing or damaged: the copy retains its older files of them.
 */
export const pullHome = Effect.fn("pullHome")(function* (store: BucketStore, games: ReadonlyArray<string>) {
  const { root } = yield* Home
  const lakeNow = yield* publishedIn(store)
  const known = Object.keys(lakeNow.commit.games)
  const wanted = known.filter((gameId) => games.length === 0 || games.includes(gameId)).toSorted()
  const need = { games: wanted, of: "published", folders: "all", runs: "all", skipsDamaged: true } as const
  const checkout = yield* checkOut(store, yield* privateFolder, { ...need, lakeNow })
  const here = Array.from(checkout.here.known, ([path, file]) => ({
    ...file,
    path: relative(checkout.here.root, path)
  }))
  const filesOf = (of: string | null, published: ReadonlyArray<string>) =>
    fetchMissing(
      store,
      root,
      here.filter((file) => file.gameId === of && isOfReaders(file, published))
    )
  const unreadable = new Map(checkout.damagedGames)
  const done = [yield* filesOf(null, [])]
  for (const [gameId, { opened }] of checkout.games) {
    const pulled = yield* Effect.result(filesOf(gameId, opened.state.published))
    if (pulled._tag === "Success") done.push(pulled.success)
    else if (!("damage" in pulled.failure) || !isDamaged(pulled.failure)) return yield* pulled.failure
    else unreadable.set(gameId, pulled.failure)
    if (opened.state.live === null)
      yield* Effect.logWarning(`Nothing of ${gameId} is published in ${store.address} yet`)
  }
  for (const gameId of unreadable.keys()) checkout.games.delete(gameId)
  const now = makeCurrent(checkout.games, checkout.lakeHere.head)
  const before = yield* readCurrent
  const kept = Object.entries(before.games).filter(([gameId]) => unreadable.has(gameId))
  const fetched = done.flatMap((one) => one.fetched)
  return {
    current: {
      games: { ...now.games, ...Object.fromEntries(kept) },
      history: [...now.history, ...before.history.filter(({ gameId }) => unreadable.has(gameId))]
    } satisfies Current,
    /** All its files, by their paths in a home. */
    paths: new Set(done.flatMap(({ files }) => files.map(({ path }) => path))),
    fetched: fetched.length,
    bytes: fetched.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    unreadable,
    known
  }
})

const notEmpty = (place: string) =>
  new Fault("NotEmpty", `${place} already exists. Nothing was changed. Choose an empty place with --to`)

/** Copies the home of a folder into a bucket. Publishes last, after all objects. The folder remains unchanged. */
export const homeIntoBucket = Effect.fn("homeIntoBucket")(function* <A, E, R>(
  store: BucketStore,
  beside: Effect.Effect<A, E, R>
) {
  const { root } = yield* Home
  yield* claimHome
  yield* lockHome("move", yield* newRunId)
  const isTaken = yield* Effect.catchTag(roomForHome(store), "BucketForeign", () => Effect.succeed(true))
  if (isTaken) return yield* notEmpty(store.address)
  const attempt = yield* newAttempt
  yield* checkStore(store)
  const put = yield* beside
  const { conflicts } = yield* checkIn(bareCheckout(store, root), attempt, { kind: "other", settle: () => Effect.void })
  if (conflicts.length > 0) return yield* notEmpty(store.address)
  const there = (yield* Effect.forEach(["games/", "lake/"], (path) => store.list(path))).flat()
  const files = there.filter(({ path }) => attemptOfObject(path) !== null).length
  return { files, bytes: there.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0), put }
}, Effect.scoped)

/** Copies the home of a bucket into the home's folder, which must be empty. Validates every file's checksum. */
export const homeFromBucket = Effect.fn("homeFromBucket")(function* (store: BucketStore) {
  const { root } = yield* Home
  if ((yield* namesIn(root)).length > 0) return yield* notEmpty(root)
  yield* needHome(store)
  const part = `${root}.moving`
  yield* removeAll(`Make room at ${part}`, [part])
  const { here } = yield* checkOut(store, part, { games: null, of: "newest", folders: "all", runs: "all" })
  yield* here.obtainAll((error) => Effect.fail(error))
  yield* removeAll(`Make room for ${root}`, [root])
  yield* lakeStep(`Rename to ${root}`, (disk) => disk.rename(part, root))
  yield* claimHome.pipe(Effect.provideService(Home, homeIn(root)))
  return { files: here.known.size, bytes: store.moved.fetched }
})
