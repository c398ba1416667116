import { hash } from "node:crypto"
import { basename, dirname, join, relative, sep } from "node:path"
import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { SnapshotId } from "../../../feed/contract/Ids.ts"
import { makeFolders } from "../../../feed/disk/makeFolders.ts"
import { isThere, namesIn, whereNothingIs } from "../disk.ts"
import { homePaths } from "../homePaths.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { packBytes, roomPath } from "./bucketKeys.ts"
import type { BucketStore } from "./BucketStore.ts"
import type { OpenGame } from "./gameInBucket.ts"
import type { Checkout } from "./checkOut.ts"
import { attemptOfObject, openFolder } from "./log/objects.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"

const ledgerName = "ledger.ndjson" as const

/** A page that a ledger lists as stored. */
const PageName = Schema.String.check(Schema.isPattern(/^pages\/\w[\w.-]{0,200}$/))
const Line = Schema.fromJsonString(Schema.Struct({ file: PageName, sha256: Schema.String }))
const decodeLine = Schema.decodeUnknownOption(Line)
const pagesIn = (ledger: string) =>
  ledger.split("\n").flatMap((line) => (line === "" ? [] : Option.toArray(decodeLine(line))))

/** The maximum age of reusable pages, whatever this machine's clock says. Readings have a lower maximum. */
const oldMillis = 8 * 3600 * 1000

/** The name of an object with pages of an unfinished reading and the ledger that lists them, after its checksum. */
const keptName = "raw.kept.pack"
const KeptPages = Schema.fromJsonString(
  Schema.Array(Schema.Tuple([Schema.Union([PageName, Schema.Literal(ledgerName)]), Schema.Uint8ArrayFromBase64]))
)
const encodePages = Schema.encodeSync(KeptPages)
const decodePages = Schema.decodeUnknownOption(KeptPages)

/** The uploaded pages of a reading, each as its name and checksum, and the keys of their objects. */
interface KeptReading {
  readonly pages: Set<string>
  readonly keys: Set<string>
}

/** Uploads the pages of a reading that are not uploaded yet, with the ledger that lists them. */
const keepReading = Effect.fnUntraced(function* (
  store: BucketStore,
  { attempt, folder, gameId }: { readonly attempt: string; readonly folder: string; readonly gameId: string },
  ledger: string,
  { keys, pages }: KeptReading
) {
  let news: Array<readonly [name: string, body: Uint8Array]> = []
  let uploading: Array<string> = []
  let sizeBytes = 0
  const upload = Effect.fnUntraced(function* () {
    const pack = Buffer.from(encodePages([...news, [ledgerName, Buffer.from(ledger)]]))
    const key = `${openFolder(roomPath(gameId))}${attempt}/${hash("sha256", pack)}.${keptName}`
    yield* store.create(key, [pack], pack.length)
    keys.add(key)
    for (const page of uploading) pages.add(page)
    news = []
    uploading = []
    sizeBytes = 0
  })
  for (const { file, sha256 } of pagesIn(ledger)) {
    if (pages.has(`${file} ${sha256}`)) continue
    const body = yield* lakeStep(`Read ${file}`, (disk) => disk.read(join(folder, file)).catch(whereNothingIs))
    if (body === null) continue
    news.push([file, body])
    uploading.push(`${file} ${sha256}`)
    sizeBytes += body.length
    if (sizeBytes >= packBytes) yield* upload()
  }
  if (news.length > 0) yield* upload()
})

/** The readings of this command, by folder, with their uploaded pages and the keys of the objects. */
export const openReadings = ({ here, store }: Checkout, attempt: string, adopted: ReadonlySet<string>) => {
  const { root } = here
  const ofFolder = new Map<string, KeptReading>()
  const hasSnapshot = (folder: string) => {
    const [gameId = "", run = ""] = relative(join(root, "raw"), folder).split(sep)
    return isThere(homePaths(root).snapshot(gameId, SnapshotId.make(run)))
  }

  const keepOne = Effect.fnUntraced(function* (gameId: string, folder: string) {
    const path = relative(root, folder)
    const ledger = yield* lakeStep(`Read the ledger of ${path}`, (disk) =>
      disk.readText(join(folder, ledgerName)).catch(whereNothingIs)
    )
    if (ledger === null || here.known.has(join(folder, ledgerName))) return
    const kept = ofFolder.get(folder) ?? { keys: new Set(), pages: new Set() }
    ofFolder.set(folder, kept)
    yield* keepReading(store, { attempt, folder, gameId }, ledger, kept)
  })

  /** Uploads the pages so far. If this machine crashes, the next reader of the game finds them. */
  const keep = Effect.fnUntraced(function* (isWanted: (folder: string) => boolean = () => true) {
    for (const gameId of yield* namesIn(join(root, "raw")))
      for (const run of yield* namesIn(join(root, "raw", gameId))) {
        const folder = join(root, "raw", gameId, run)
        if (!adopted.has(folder) && isWanted(folder)) yield* keepOne(gameId, folder)
      }
  })

  /** Deletes the uploaded pages of readings that ended, except those of `conflicts` games, which are read again. */
  const forget = Effect.fnUntraced(function* (conflicts: ReadonlyArray<string>) {
    for (const [folder, { keys }] of ofFolder) {
      if (isThere(folder) && (!hasSnapshot(folder) || conflicts.includes(basename(dirname(folder))))) continue
      yield* Effect.forEach(keys, store.remove, { concurrency: 8, discard: true })
    }
  })
  return { keep: keep(), keepUnfinished: keep((folder) => !hasSnapshot(folder)), forget }
}

/**
 * Downloads the newest unfinished reading of each game that another runner left in the bucket, as if it had crashed
 * here. A page that does not match its ledger is requested again. Reused pages go into this attempt's folders.
 */
export const adoptReadings = Effect.fn("adoptReadings")(function* ({ games, here: { root }, store }: Checkout) {
  const since = DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - oldMillis)
  const first = DateTime.formatIso(since).replaceAll(/[-:.]/g, "")
  const adopted = new Set<string>()
  const adopt = Effect.fnUntraced(function* (gameId: string, head: OpenGame["head"]) {
    const found = head?.beside ?? (yield* store.list(openFolder(roomPath(gameId))))
    const byAttempt = Map.groupBy(found, ({ path }) => attemptOfObject(path) ?? "")
    // The process of the newest commit may have died before it deleted the pages of its reading.
    const open = [...byAttempt].filter(([attempt]) => attempt > first && attempt !== head?.commit.attempt)
    const [attempt = "", files = []] = open.toSorted(([a], [b]) => (a < b ? 1 : -1))[0] ?? []
    if (files.length === 0) return
    const folder = join(root, "raw", gameId, attempt.slice(0, 24))
    adopted.add(folder)
    let ledger: Uint8Array = Buffer.alloc(0)
    for (const { path } of files) {
      const text = yield* store.fetchText(path, basename(path).slice(0, 64))
      for (const [name, body] of Option.getOrElse(decodePages(text), () => [])) {
        const page = joinBelow(folder, name)
        if (name === ledgerName) ledger = body.length > ledger.length ? body : ledger
        else {
          yield* lakeStep(`Write ${name}`, async (disk) => {
            await makeFolders(disk, dirname(page))
            await disk.write(page, body)
          })
        }
      }
    }
    yield* lakeStep("Write a ledger", (disk) => disk.write(join(folder, ledgerName), ledger))
  })
  // If the download fails, the pages are requested again.
  yield* Effect.forEach(games, ([gameId, { opened }]) => Effect.ignore(adopt(gameId, opened.head)), {
    concurrency: 8,
    discard: true
  })
  return adopted
})
