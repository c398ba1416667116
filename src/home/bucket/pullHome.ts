import { lstat } from "node:fs/promises"
import { join } from "node:path"
import { Effect } from "effect"
import { Home } from "../Home.ts"
import { codeOf, fileSha256, removeAll } from "../disk.ts"
import { lakeStep } from "../LakeError.ts"
import type { Current } from "../Current.ts"
import type { BucketStore } from "./BucketStore.ts"
import { fetchDocument } from "./bucketDocuments.ts"
import { publicationsOf } from "./checkOut.ts"
import { MonthOfRuns } from "./documents.ts"
import { BucketBare } from "./HomeInBucket.ts"
import { openState, type OpenState } from "./gameInBucket.ts"
import { readLake } from "./lakeInBucket.ts"
import { type KnownFile, keyOfKnown, storedParts } from "./hollowFiles.ts"
import { joinBelow } from "../../guard/joinBelow.ts"

type Wanted = Omit<KnownFile, "look" | "isHere"> & { readonly path: string }

const fetchesAtOnce = 8

/** What readers of a lake need of a game: neither raw pages nor what is held. */
const filesOf = Effect.fnUntraced(function* (opened: OpenState) {
  const { gameId, state } = opened
  const published = new Set<string>(state.published)
  const isWanted = (folder: string) =>
    folder.startsWith("snapshots/") || folder.startsWith("changes/")
      ? published.has(folder.slice(folder.lastIndexOf("=") + 1))
      : folder.startsWith("history/")
  const files: Array<Wanted> = []
  const add = (folder: string, attempt: string, of: Parameters<typeof storedParts>[1], name: string) =>
    files.push({ gameId, folder, name, path: join(folder, name), ...storedParts({ attempt }, of) })
  for (const [name, file] of Object.entries(state.files.files))
    if (!name.startsWith("backfill/")) add("", state.files.attempt, file, name)
  const months = yield* Effect.forEach(Object.keys(state.months), opened.month, { concurrency: 8 })
  for (const { folders } of months)
    for (const [folder, found] of Object.entries(folders))
      if (!("list" in found) && isWanted(folder))
        for (const [name, file] of Object.entries(found.files)) add(folder, found.attempt, file, name)
  return files
})

/** Only these are ever written again under the same name. */
const mayChange = (path: string): boolean => !/^(snapshots|history\/game=[^/]+\/(month=|backfill\/|drift\/))/.test(path)

const isThereAlready = Effect.fnUntraced(function* (root: string, { path, sha256, sizeBytes }: Wanted) {
  const file = joinBelow(root, path)
  const found = yield* lakeStep(`Look at ${file}`, () =>
    lstat(file).catch((cause: unknown) => {
      if (["ENOENT", "ENOTDIR"].includes(codeOf(cause))) return null
      throw cause
    })
  )
  if (found === null || !found.isFile() || found.size !== sizeBytes) return false
  return !mayChange(path) || (yield* fileSha256(file)) === sha256
})

/** What a bucket has published; fails if that is nothing. */
export const publishedIn = Effect.fnUntraced(function* (store: BucketStore) {
  const lake = yield* readLake(store)
  if (lake === null || Object.keys(lake.games).length === 0) return yield* new BucketBare({ address: store.address })
  return lake
})

/** What a bucket has published, as it was asked for. */
export interface Pulled {
  readonly current: Current
  /** Every file of it, by its path in a home. */
  readonly paths: ReadonlySet<string>
  readonly fetched: number
  readonly bytes: number
}

/** Fetches into the home's folder what is published in a bucket and not there yet. What is no longer published stays. */
export const pullHome = Effect.fn("pullHome")(function* (store: BucketStore, games: ReadonlyArray<string>) {
  const { root } = yield* Home
  const lake = yield* publishedIn(store)
  const names = Object.keys(lake.games).filter((gameId) => games.length === 0 || games.includes(gameId))
  const opened = yield* Effect.forEach(
    names.toSorted(),
    (gameId) => openState(store, gameId, lake.games[gameId]?.state ?? null),
    { concurrency: 8 }
  )
  const files: Array<Wanted> = (yield* Effect.forEach(opened, filesOf)).flat()
  const shared = (name: string, file: Parameters<typeof storedParts>[1], attempt: string) =>
    files.push({ gameId: null, folder: "", name, path: name, ...storedParts({ attempt }, file) })
  for (const [name, file] of Object.entries(lake.files.files))
    if (!name.startsWith("backfill/")) shared(name, file, lake.files.attempt)
  for (const ref of Object.values(lake.runs)) {
    const { attempt, runs } = yield* fetchDocument(store, { gameId: null, kind: "runs", ref, schema: MonthOfRuns })
    for (const [run, file] of Object.entries(runs)) shared(`runs/${run}.json`, file, attempt)
  }
  const missing = yield* Effect.filter(files, (file) => Effect.map(isThereAlready(root, file), (is) => !is), {
    concurrency: 8
  })
  // A sum beside a file is of that file: without the old one, neither can be taken for damaged.
  yield* removeAll(
    "Make room",
    missing.filter(({ path }) => path.endsWith(".sha256")).map(({ path }) => joinBelow(root, path))
  )
  const lost = new Set<Wanted>()
  yield* Effect.forEach(
    missing,
    (file) =>
      Effect.catchIf(
        store.fetch(keyOfKnown(file), joinBelow(root, file.path), file.sha256),
        // Nothing of the lake is made from a report.
        ({ damage }) => damage !== undefined && file.path.startsWith("runs/"),
        ({ message }) =>
          Effect.andThen(
            Effect.sync(() => lost.add(file)),
            Effect.logWarning(message)
          )
      ),
    { concurrency: fetchesAtOnce, discard: true }
  )
  const fetched = missing.filter((file) => !lost.has(file))
  const current: Current = {
    games: Object.fromEntries(
      opened.flatMap(({ gameId, state: { live, published } }) =>
        live === null ? [] : [[gameId, { snapshot: live, published }] as const]
      )
    ),
    history: opened.flatMap(publicationsOf)
  }
  return {
    current,
    paths: new Set(files.filter((file) => !lost.has(file)).map(({ path }) => path)),
    fetched: fetched.length,
    bytes: fetched.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    known: Object.keys(lake.games)
  } satisfies Pulled & { readonly known: ReadonlyArray<string> }
})
