import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { cpSync, globSync, readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { verifyDrop } from "../../src/warehouse/verifyDrop.ts"
import { runRollback } from "../../src/night/run/runRollback.ts"
import { eachKill, type Kills } from "../eachKill.ts"
import { gameId } from "../store/lake/invented.ts"
import { commitOf, liveFiles as deltaFiles } from "./deltaReader.ts"
import { exportTo, temporaryFolder, dayOf, FourNights, nightId } from "./FourNights.ts"
import { liveFiles, metadataOf, type ReadBytes, type ReadMetadata } from "./icebergReader.ts"
import { bucket, startStore } from "./Store.ts"

const place = `s3://${bucket}/lake`
const only = { tables: ["products"] }

/** What readers find in the store's folder: the content in base64, by partition. */
export interface Found {
  readonly format: "files" | "iceberg" | "delta"
  readonly objectsIn: (directory: string) => Readonly<Record<string, string>>
}

/** Every Parquet object with its content. */
const parquetObjects = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    globSync("**/part-00000.parquet._S3rver_object", { cwd: directory }).map((path) => [
      path,
      readFileSync(join(directory, path)).toString("base64")
    ])
  )

export const asFiles: Found = { format: "files", objectsIn: parquetObjects }

const fromStore =
  (directory: string): ReadBytes =>
  (address) =>
    readFileSync(`${join(directory, address.replace("s3://", ""))}._S3rver_object`)

/** The content of each day of a table, as one metadata file leads to it. */
const daysOf = (metadata: ReadMetadata, read: ReadBytes, reader: string): ReadonlyArray<readonly [string, string]> => {
  const files = liveFiles(metadata, metadata["current-snapshot-id"], read)
  return [1, 2, 3, 4].map((day) => {
    const file = files.find(({ file_path: path }) => path.includes(`dt=${dayOf(day)}`))
    const content = file === undefined ? "" : read(file.file_path).toString("base64")
    return [`${reader} ${metadata.location} ${day}`, content]
  })
}

/** What readers find that trust the hint, and those that look for later versions. */
const icebergPartitions = (directory: string): Readonly<Record<string, string>> => {
  const read = fromStore(directory)
  return Object.fromEntries(
    ["products", "nights"].flatMap((table) => {
      const location = `${place}/${table}`
      const versions = globSync(`${location.replace("s3://", "")}/metadata/v*.metadata.json*_object`, {
        cwd: directory
      })
      const last = Math.max(...versions.map((path) => Number(/v(\d+)\.metadata/.exec(path)?.[1])))
      const later = JSON.parse(read(`${location}/metadata/v${last}.metadata.json`).toString()) as ReadMetadata
      return daysOf(metadataOf(location, read), read, "hint").concat(daysOf(later, read, "latest"))
    })
  )
}

/** The content of each day of a table, as its log leads to it. */
const deltaPartitions = (directory: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["products", "nights"].flatMap((table) => {
      const location = join(directory, bucket, "lake", table)
      const commits = globSync("_delta_log/*.json._S3rver_object", { cwd: location })
        .sort()
        .map((path) => commitOf(readFileSync(join(location, path), "utf8")))
      const files = deltaFiles(commits)
      return [1, 2, 3, 4].map((day) => {
        const file = files.find(({ partitionValues: values }) => values["snapshot_date"] === dayOf(day))
        const content = file === undefined ? "" : readFileSync(join(location, `${file.path}._S3rver_object`), "base64")
        return [`${table} ${day}`, content]
      })
    })
  )

export const asDelta: Found = { format: "delta", objectsIn: deltaPartitions }

export const asIceberg: Found = { format: "iceberg", objectsIn: icebergPartitions }

/**
 * Ends an export at each of these requests. Each time, every partition is the old or the new one, and the next export
 * ends as an undisturbed one does. Returns how many were ended.
 */
export const killRequests = Effect.fnUntraced(function* ({ format, objectsIn }: Found, kills: Kills) {
  const services = yield* FourNights.copy
  const store = yield* startStore
  const run = Effect.provideContext(exportTo(place, { ...only, format }), services)
  yield* run
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(2), why: null }), services)
  yield* Effect.provideContext(runRollback({ gameId, wanted: nightId(4), why: null }), services)
  const saved = yield* temporaryFolder
  cpSync(store.directory, saved, { recursive: true })
  const before = objectsIn(store.directory)
  const asBefore = () => {
    rmSync(join(store.directory, bucket), { recursive: true })
    cpSync(saved, store.directory, { recursive: true })
  }

  yield* run
  const after = objectsIn(store.directory)
  assert.notDeepEqual(after, before)

  const kill = Effect.fnUntraced(function* (at: string) {
    asBefore()
    const reached = Promise.withResolvers<void>()
    let [seen, where] = [0, ""]
    store.state.before = ({ method, socket, url }) => {
      const request = `${method} ${url}`
      if (where === "" && String(++seen) !== at && !request.startsWith(at)) return false
      where = `ended at request ${seen}, ${request}`
      reached.resolve()
      socket.destroy()
      return true
    }
    const fiber = yield* Effect.forkChild(run)
    const ended = Fiber.await(fiber)
    const exit = yield* Effect.raceFirst(
      ended,
      Effect.promise(() => reached.promise)
    )
    yield* Fiber.interrupt(fiber)
    store.state.before = () => false
    if (where === "") assert.strictEqual(exit?._tag, "Success")
    if (where === "") return false
    const found = objectsIn(store.directory)
    assert.deepStrictEqual(Object.keys(found).sort(), Object.keys(before).sort(), where)
    for (const [path, content] of Object.entries(found)) {
      assert.isTrue(content === before[path] || content === after[path], `${where}: ${path}`)
    }
    yield* run
    assert.deepStrictEqual(objectsIn(store.directory), after, where)
    assert.deepStrictEqual((yield* Effect.provideContext(verifyDrop(place), services)).faults, [], where)
    return true
  })
  return yield* eachKill(kills, kill)
})
