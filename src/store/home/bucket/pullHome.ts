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
  type OpenGame,
  openLake,
  readLake,
  readPublished,
  type StoredRoom
} from "./gameInBucket.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"

type Wanted = HomeFile & { readonly path: string }

const fetchesAtOnce = 8

/** Returns the files that a commit names, in wanted folders. Folders with lists of their own are not. */
const listFiles = Effect.fnUntraced(function* (
  { files, gameId, month, months }: StoredRoom,
  isWanted: (folder: string) => boolean,
  read: typeof month = month
) {
  const found = yield* Effect.forEach(Object.keys(months), read, { concurrency: 8 })
  const folders = found.flatMap((one) => Object.entries(one.folders).filter(([folder]) => isWanted(folder)))
  return [["", files] as const, ...folders].flatMap(([folder, list]) =>
    "list" in list
      ? []
      : filesIn({ gameId, folder }, list).flatMap((file): ReadonlyArray<Wanted> =>
          file.name.startsWith("backfill/") ? [] : [{ ...file, path: join(folder, file.name) }]
        )
  )
})

/** Returns a game's files for readers of a lake, without raw pages and held snapshots. */
const filesOfGame = (opened: OpenGame) => {
  const published = new Set<string>(opened.state.published)
  return listFiles(opened, (folder) =>
    folder.startsWith("snapshots/") || folder.startsWith("changes/")
      ? published.has(folder.slice(folder.lastIndexOf("=") + 1))
      : folder.startsWith("history/")
  )
}

/** Returns the files of the lake. A missing list of reports is reported, because the lake cannot replace it. */
const filesOfLake = (store: BucketStore, lake: LakeHead) => {
  const opened = openLake(store, lake)
  return listFiles(
    opened,
    () => true,
    (name) =>
      Effect.catchIf(opened.month(name), isGone, ({ message }) =>
        Effect.as(Effect.logWarning(message), { folders: {} })
      )
  )
}

/** True for files that may be replaced under the same name. */
const mayChange = (path: string): boolean => !/^(snapshots|history\/game=[^/]+\/(month=|backfill\/|drift\/))/.test(path)

const isThereAlready = Effect.fnUntraced(function* (root: string, { path, sha256, sizeBytes }: Wanted) {
  const file = joinBelow(root, path)
  const found = yield* lakeStep(`Check ${file}`, async (disk) => disk.look(file, "links"))
  if (found?.kind !== "file" || found.sizeBytes !== sizeBytes) return false
  return !mayChange(path) || (yield* fileSha256(file)) === sha256
})

/** Returns the published state of a bucket; fails if nothing is published. */
export const publishedIn = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readLake(store)
  if (lake === null || Object.keys(lake.commit.games).length === 0)
    return yield* new BucketBare({ address: store.address })
  return lake
})

/** The requested parts of a bucket's published state. */
export interface Pulled {
  readonly current: Current
  /** All its files, by their paths in a home. */
  readonly paths: ReadonlySet<string>
  readonly fetched: number
  readonly bytes: number
  /** Games with a missing or damaged object, by id. The copy retains its older files of them. */
  readonly lost: ReadonlyMap<string, BucketFailed>
}

/** Downloads missing files. A lost report is reported and skipped; any other loss fails. */
const fetchMissing = Effect.fnUntraced(function* (store: BucketStore, root: string, files: ReadonlyArray<Wanted>) {
  const missing = yield* Effect.filter(files, (file) => Effect.map(isThereAlready(root, file), (is) => !is), {
    concurrency: fetchesAtOnce
  })
  const fetchAll = Effect.fnUntraced(function* (wanted: ReadonlyArray<Wanted>) {
    // A checksum file belongs to its file. Without the old one, neither can count as damaged.
    const sums = wanted.filter(({ path }) => path.endsWith(".sha256"))
    yield* removeAll(
      "Make room",
      sums.map(({ path }) => joinBelow(root, path))
    )
    return yield* Effect.forEach(
      wanted,
      (file) =>
        store.fetch(keyOfFile(file), joinBelow(root, file.path), file.sha256, partOfFile(file)).pipe(
          Effect.as([file]),
          Effect.catchIf(
            (error) => isLost(error) && file.path.startsWith("runs/"),
            ({ message }) => Effect.as(Effect.logWarning(message), [])
          )
        ),
      { concurrency: fetchesAtOnce }
    )
  })
  // Replaced files come last, so that if another file of the game is lost, the copy retains its version.
  const fixed = yield* fetchAll(missing.filter(({ path }) => !mayChange(path)))
  const changing = yield* fetchAll(missing.filter(({ path }) => mayChange(path)))
  const fetched = [...fixed, ...changing].flat()
  const left = new Set(missing)
  for (const file of fetched) left.delete(file)
  return { fetched, files: files.filter((file) => !left.has(file)) }
})

/** Downloads published files that the home's folder lacks. Files that are no longer published remain. */
export const pullHome = Effect.fn("pullHome")(function* (store: BucketStore, games: ReadonlyArray<string>) {
  const { root } = yield* Home
  const lake = yield* publishedIn(store)
  const named = lake.commit.games
  const names = Object.keys(named).filter((gameId) => games.length === 0 || games.includes(gameId))
  const before = yield* readCurrent
  const lost = new Map<string, BucketFailed>()
  const published: Record<string, Current["games"][string]> = {}
  const history: Array<Publication> = []
  const done = [yield* fetchMissing(store, root, yield* filesOfLake(store, lake))]
  const opening = Effect.fnUntraced(function* (gameId: string) {
    const commit = named[gameId]
    const head = commit === undefined ? null : yield* readPublished(store, gameId, commit)
    const opened = openGame(store, gameId, head)
    return { opened, files: yield* filesOfGame(opened) }
  })
  const all = yield* Effect.forEach(
    names.toSorted(),
    (gameId) => Effect.map(Effect.result(opening(gameId)), (opened) => [gameId, opened] as const),
    { concurrency: 8 }
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
    current: { games: published, history },
    paths: new Set(done.flatMap(({ files }) => files.map(({ path }) => path))),
    fetched: fetched.length,
    bytes: fetched.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    lost,
    known: Object.keys(named)
  } satisfies Pulled & { readonly known: ReadonlyArray<string> }
})
