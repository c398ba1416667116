import { join } from "node:path"
import { Effect } from "effect"
import { Home, type Current, type Publication, readCurrent } from "../Home.ts"
import { fileSha256, removeAll } from "../disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import type { BucketFailed } from "./BucketFailed.ts"
import type { BucketStore } from "./BucketStore.ts"
import { filesIn, isGone, isLost } from "./documents.ts"
import { type HomeFile, keyOfFile, partOfFile } from "./bucketKeys.ts"
import { listPublications } from "./checkOut.ts"
import { BucketBare } from "./homeAddress.ts"
import {
  type LakeHead,
  openGame,
  openLake,
  type Published,
  readLake,
  readPublished,
  type Room
} from "./gameInBucket.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"

type Wanted = HomeFile & { readonly path: string }

const fetchesAtOnce = 8

/** Returns the files that a commit names, in wanted folders, without raw pages and answers, which have lists of their own. */
const listFiles = (
  { files, gameId }: Room,
  folders: Effect.Success<ReturnType<Room["folders"]>>,
  isWanted: (folder: string) => boolean = () => true
): ReadonlyArray<Wanted> =>
  [["", files] as const, ...folders.filter(([folder]) => isWanted(folder))].flatMap(([folder, list]) =>
    "list" in list
      ? []
      : filesIn({ gameId, folder }, list).flatMap((file) =>
          file.name.startsWith("backfill/") ? [] : [{ ...file, path: join(folder, file.name) }]
        )
  )

/** Opens a published game, with its files for readers of a lake: those of the history and of published snapshots. */
const openPublished = Effect.fnUntraced(function* (store: BucketStore, gameId: string, named: Published) {
  const opened = openGame(store, gameId, named === undefined ? null : yield* readPublished(store, gameId, named))
  const published = new Set<string>(opened.state.published)
  const isWanted = (folder: string) =>
    /^(snapshots|changes)\//.test(folder)
      ? published.has(folder.slice(folder.lastIndexOf("=") + 1))
      : folder.startsWith("history/")
  return { opened, files: listFiles(opened, yield* opened.folders(), isWanted) }
})

/** Returns the files of the lake. A missing list of reports is reported, because the lake cannot replace it. */
const filesOfLake = Effect.fnUntraced(function* (store: BucketStore, lake: LakeHead) {
  const opened = openLake(store, lake)
  const folders = yield* Effect.forEach(
    Object.keys(opened.months),
    (name) =>
      Effect.catchIf(opened.folders([name]), isGone, ({ message }) => Effect.as(Effect.logWarning(message), [])),
    { concurrency: fetchesAtOnce }
  )
  return listFiles(opened, folders.flat())
})

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
            (error) => isLost(error) && file.path.startsWith("runs/"),
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

/**
 * Downloads published files that the home's folder lacks, of these games; none means all. Files that are no longer
 * published remain. Of `lost` games, by id, an object is missing or damaged: the copy retains its older files of them.
 */
export const pullHome = Effect.fn("pullHome")(function* (store: BucketStore, games: ReadonlyArray<string>) {
  const { root } = yield* Home
  const lake = yield* publishedIn(store)
  const known = Object.keys(lake.commit.games)
  const before = yield* readCurrent
  const lost = new Map<string, BucketFailed>()
  const published: Record<string, Current["games"][string]> = {}
  const history: Array<Publication> = []
  const done = [yield* fetchMissing(store, root, yield* filesOfLake(store, lake))]
  const all = yield* Effect.forEach(
    known.filter((gameId) => games.length === 0 || games.includes(gameId)).toSorted(),
    (gameId) =>
      Effect.map(
        Effect.result(openPublished(store, gameId, lake.commit.games[gameId])),
        (opened) => [gameId, opened] as const
      ),
    { concurrency: fetchesAtOnce }
  )
  for (const [gameId, one] of all) {
    const pulled = yield* Effect.result(
      Effect.gen(function* () {
        const { files, opened } = yield* Effect.fromResult(one)
        return { opened, ...(yield* fetchMissing(store, root, files)) }
      })
    )
    if (pulled._tag === "Failure") {
      if (!("damage" in pulled.failure) || !isLost(pulled.failure)) return yield* pulled.failure
      lost.set(gameId, pulled.failure)
      const there = before.games[gameId]
      if (there !== undefined) published[gameId] = there
      history.push(...before.history.filter((step) => step.gameId === gameId))
      continue
    }
    const { opened, ...files } = pulled.success
    done.push(files)
    const { live } = opened.state
    if (live === null) yield* Effect.logWarning(`Nothing of ${gameId} is published in ${store.address} yet`)
    else published[gameId] = { snapshot: live, published: opened.state.published }
    history.push(...listPublications(opened, lake.commit))
  }
  const fetched = done.flatMap((one) => one.fetched)
  return {
    current: { games: published, history } satisfies Current,
    /** All its files, by their paths in a home. */
    paths: new Set(done.flatMap(({ files }) => files.map(({ path }) => path))),
    fetched: fetched.length,
    bytes: fetched.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    lost,
    known
  }
})
