import { dirname, join } from "node:path"
import { Effect } from "effect"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import { keyOfFile } from "../../../store/home/bucket/bucketKeys.ts"
import type { Checkout } from "../../../store/home/bucket/checkOut.ts"
import type { BucketStore } from "../../../store/home/bucket/BucketStore.ts"
import { readLake } from "../../../store/home/bucket/gameInBucket.ts"
import { shellWord } from "../../../feed/contract/shellWord.ts"
import { frontFile } from "../../../store/home/homePaths.ts"
import { frontFolder, readFront, swapFront } from "../../../store/home/bucket/frontObject.ts"
import { BucketBare } from "../../../store/home/bucket/homeAddress.ts"
import { fileSize, privateFolder, FileDamaged } from "../../../store/home/disk.ts"
import { Home, readCurrent } from "../../../store/home/Home.ts"
import { newRunId } from "../../../store/home/newRunId.ts"
import { type Night, versionFiles } from "../../../store/lake/history/nights.ts"
import { type LakePlan, lakePlan } from "../../../store/lake/publish/lakePlan.ts"
import { publish } from "../../../store/lake/publish/publish.ts"
import { buildFront, filesOfFront } from "../../../store/lake/front/buildFront.ts"
import { describeFront, frontRefused } from "../../../store/lake/front/publishFront.ts"

/**
 * Returns the files that DuckDB opens to create a view: the first of each list, or all whose columns may differ. Of
 * files that are one object all, because a front divides such lists.
 */
const filesOfView =
  (keyOf: (file: string) => string) =>
  (sql: string): ReadonlyArray<string> =>
    [...sql.matchAll(/\[((?:'(?:[^']|'')*'(?:, )?)+)\]([^)]*)\)/g)].flatMap(([, list = "", options = ""]) => {
      const files = [...list.matchAll(/'((?:[^']|'')*)'/g)].map(([, file = ""]) => file.replaceAll("''", "'"))
      if (options.includes("union_by_name")) return files
      const again = [...Map.groupBy(files, keyOf).values()].flatMap((same) => same.slice(1))
      return files.slice(0, 1).concat(again)
    })

/** The verdicts on prices of the last seven readings compare them with 30 earlier ones, and these with one before. */
const readingsOfTrust = 38

const sourcePrices = ({ file, pricesIn }: Night): string | null =>
  pricesIn === null ? file("source_prices.parquet") : join(pricesIn.folder, "source_prices.parquet")

/** Downloads the files of the history that a lake is built from. Those of the current tables are verified and so downloaded. */
const downloadInputs = ({ files, nightly, nights }: LakePlan, keyOf: (file: string) => string) => {
  const ofTrust = [...Map.groupBy(nights, ({ gameId }) => gameId).values()].flatMap((ofGame) =>
    ofGame.slice(-readingsOfTrust).flatMap((night) => sourcePrices(night) ?? [])
  )
  const toCreate = [...files.values(), ...nightly.values()].flatMap(filesOfView(keyOf))
  return download(...new Set([...toCreate, ...ofTrust, ...versionFiles(nights)]))
}

/** Links the Parquet files of a checkout by their keys. Of equal files, one may not have been downloaded. */
const linkByKey = ({ here: { known } }: Checkout, folder: string) =>
  lakeStep("Link the files by key", async (disk) => {
    const paths = new Map<string, string>()
    for (const [path, file] of known) {
      const key = keyOfFile(file)
      if (path.endsWith(".parquet") && (file.isHere || !paths.has(key))) paths.set(key, path)
    }
    for (const [key, path] of paths) {
      // oxlint-disable-next-line no-await-in-loop -- the folders are few, and most exist
      await makeFolders(disk, dirname(join(folder, key)))
      // oxlint-disable-next-line no-await-in-loop -- thousands of links at once gain nothing
      await disk.link(path, join(folder, key))
    }
  })

/**
 * Publishes the front of a bucket's published lake as `front.duckdb` in the bucket. It is derived: the lake is built in
 * the checked-out folder after its commit. A front of an earlier commit never replaces that of a later one.
 */
export const publishBucketFront = Effect.fn("publishBucketFront")(function* (
  checkout: Checkout,
  publicUrl: string | null
) {
  const { here, lakeHere, store } = checkout
  const { root } = yield* Home
  const current = yield* readCurrent
  if (lakeHere.head === null || Object.keys(current.games).length === 0)
    return yield* new BucketBare({ address: store.address })
  const { number } = lakeHere.head
  const there = yield* readFront(store)
  const base = publicUrl?.replace(/\/+$/, "") ?? there?.base ?? store.urlOf("").replace(/\/$/, "")
  const findKey = (file: string) => {
    const known = here.known.get(file)
    return known === undefined ? file : keyOfFile(known)
  }
  yield* downloadInputs(yield* lakePlan(current), findKey)
  yield* publish(yield* newRunId, current, { isOurs: Effect.void, dead: null })
  const [byKey, stage] = [yield* privateFolder, yield* privateFolder]
  yield* linkByKey(checkout, byKey)
  const { ofFront, ofHome } = yield* buildFront(stage, base, {
    commit: String(number),
    keyOf: (path) => findKey(join(root, path)),
    here: byKey,
    folderOf: (sum) => frontFolder(number, sum)
  })
  const unstored = ofHome.find((path) => !here.known.has(join(root, path)))
  if (unstored !== undefined) return yield* new FileDamaged({ file: store.urlOf(unstored), what: "it is not stored" })
  const stored = new Map((yield* store.list(`${dirname(ofFront[0] ?? "")}/`)).map((one) => [one.path, one.sizeBytes]))
  const created = yield* Effect.forEach(
    ofFront,
    Effect.fnUntraced(function* (path) {
      const file = join(stage, path)
      const sizeBytes = yield* fileSize(file)
      if (stored.get(path) === sizeBytes) return []
      if (stored.has(path)) yield* store.remove(path)
      yield* store.create(path, [{ file }], sizeBytes)
      return [path]
    }),
    { concurrency: 8 }
  )
  const front = ofFront.at(-1) ?? ""
  const content = yield* lakeStep(`Read ${front}`, (disk) => disk.read(join(stage, front)))
  const removed = yield* swapFront(store, content, { base, folder: dirname(front) })
  if (removed === null) {
    const what = `has the front of a later commit than ${number}`
    return yield* frontRefused(store.address, what, "There is nothing to do")
  }
  const files = ofHome.length + ofFront.length
  const [copied, sizeBytes] = [created.flat().length, content.length]
  return { folder: store.address, base, commit: String(number), files, copied, removed, sizeBytes }
}, Effect.scoped)

/** Examines the front of a bucket; null if it has none. */
export const examineFrontIn = Effect.fnUntraced(function* (store: BucketStore) {
  const front = yield* readFront(store)
  const sizes = new Map((yield* store.list("fronts/")).map(({ path, sizeBytes }) => [path, sizeBytes]))
  if (front === null && sizes.size === 0) return null
  const files = filesOfFront(front?.folders[0] ?? "")
  const isWhole = front !== null && sizes.get(files.at(-1) ?? "") === (yield* store.sizeOf(frontFile))
  const damaged = [...(isWhole ? [] : [frontFile]), ...files.filter((file) => !sizes.has(file))]
  const newest = `${(yield* readLake(store))?.number}`
  const next = `cardlake front publish --home ${shellWord(store.address)}`
  return describeFront(store.address, next, { commit: `${front?.number}`, newest, damaged })
})
