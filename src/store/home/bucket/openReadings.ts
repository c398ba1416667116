import { hash } from "node:crypto"
import { join, relative } from "node:path"
import { Clock, DateTime, Effect, Option, Schema } from "effect"
import { isThere, namesIn, whereNothingIs } from "../disk.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { keyOfFile, roomOf } from "./bucketKeys.ts"
import type { Checkout } from "./checkOut.ts"
import { attemptOfObject } from "./log/objects.ts"
import { joinBelow } from "../../../feed/guard/joinBelow.ts"

const ledgerName = "ledger.ndjson"

/** A page that a ledger lists as stored. */
const Line = Schema.fromJsonString(
  Schema.Struct({ file: Schema.String.check(Schema.isPattern(/^pages\/\w[\w.-]{0,200}$/)), sha256: Schema.String })
)
const decodeLine = Schema.decodeUnknownOption(Line)
const pagesIn = (ledger: string) =>
  ledger.split("\n").flatMap((line) => (line === "" ? [] : Option.toArray(decodeLine(line))))

/** A page of a reading, its ledger or its record. */
const isPage = /\/[0-9a-f]{64}\.raw\./

/** The maximum age of reusable pages, whatever this machine's clock says. Readings have a lower maximum. */
const oldMillis = 8 * 3600 * 1000

/** The unfinished readings, by folder, with the keys of their uploaded objects. */
export const openReadings = ({ here, store, stored }: Checkout, attempt: string, adopted: ReadonlySet<string>) => {
  const { root } = here
  const ofFolder = new Map<string, Set<string>>()

  const keepOne = Effect.fnUntraced(function* (gameId: string, folder: string) {
    const path = relative(root, folder)
    const text = yield* lakeStep(`Read the ledger of ${path}`, (disk) =>
      disk.readText(join(folder, ledgerName)).catch(whereNothingIs)
    )
    if (text === null || here.known.has(join(folder, ledgerName))) return
    const own = ofFolder.get(folder) ?? new Set<string>()
    ofFolder.set(folder, own)
    const put = Effect.fnUntraced(function* (name: string, body: Buffer) {
      const key = keyOfFile({ gameId, folder: path, name, attempt, sha256: hash("sha256", body) })
      if (own.has(key)) return
      yield* store.create(key, body, body.length)
      own.add(key)
      stored.add(key)
    })
    for (const { file } of pagesIn(text)) {
      const body = yield* lakeStep(`Read ${file}`, (disk) => disk.read(join(folder, file)).catch(whereNothingIs))
      if (body !== null) yield* put(file, body)
    }
    yield* put(ledgerName, Buffer.from(text))
  })

  /** Uploads the pages so far. If this machine crashes, the next reader of the game finds them. */
  const keep = Effect.gen(function* () {
    for (const gameId of yield* namesIn(join(root, "raw")))
      for (const run of yield* namesIn(join(root, "raw", gameId))) {
        const folder = join(root, "raw", gameId, run)
        if (!adopted.has(folder)) yield* keepOne(gameId, folder)
      }
  })

  /** Deletes the uploaded pages of readings that ended without a snapshot, because they need not be continued. */
  const forget = Effect.gen(function* () {
    const ended = [...ofFolder].filter(([folder]) => !isThere(folder))
    // A page that was requested again has the same key.
    const goesOn = [...ofFolder].filter(([folder]) => isThere(folder))
    for (const [, keys] of ended) {
      const unused = [...keys].filter((key) => !goesOn.some(([, used]) => used.has(key)))
      yield* Effect.forEach(unused, store.remove, { concurrency: 8, discard: true })
    }
  })
  return { keep, forget }
}

/**
 * Downloads the newest unfinished reading of each game that another runner left in the bucket, as if it had crashed
 * here. A page that does not match its ledger is requested again. Reused pages go into this attempt's folders.
 */
export const adoptReadings = Effect.fn("adoptReadings")(function* ({ games, here: { root }, store }: Checkout) {
  const since = DateTime.makeUnsafe((yield* Clock.currentTimeMillis) - oldMillis)
  const first = DateTime.formatIso(since).replaceAll(/[-:.]/g, "")
  const adopted = new Set<string>()
  const adopt = Effect.fnUntraced(function* (gameId: string) {
    const prefix = `${roomOf(gameId)}/objects/`
    const found = (yield* store.list(prefix, `${prefix}${first}`)).filter(({ path }) => isPage.test(path))
    const byAttempt = Map.groupBy(found, ({ path }) => attemptOfObject(path) ?? "")
    const open = [...byAttempt].filter(([, files]) => !files.some(({ path }) => path.endsWith(".raw.extraction.json")))
    const [attempt = "", files = []] = open.toSorted(([a], [b]) => (a < b ? 1 : -1))[0] ?? []
    const ledger = files
      .filter(({ path }) => path.endsWith(".raw.ledger.ndjson"))
      .toSorted((a, b) => b.sizeBytes - a.sizeBytes)
      .at(0)
    if (ledger === undefined) return
    const folder = join(root, "raw", gameId, attempt.slice(0, 24))
    const sumOf = (path: string) => /\/([0-9a-f]{64})\./.exec(path)?.[1] ?? ""
    adopted.add(folder)
    yield* store.fetch(ledger.path, join(folder, ledgerName), sumOf(ledger.path))
    const text = yield* lakeStep("Read a ledger", (disk) => disk.readText(join(folder, ledgerName)))
    const there = new Map(files.map(({ path }) => [sumOf(path), path]))
    yield* Effect.forEach(
      pagesIn(text),
      ({ file, sha256 }) => {
        const path = there.get(sha256)
        return path === undefined ? Effect.void : store.fetch(path, joinBelow(folder, file), sha256)
      },
      { concurrency: 8, discard: true }
    )
  })
  // If the download fails, the pages are requested again.
  yield* Effect.forEach(games.keys(), (gameId) => Effect.ignore(adopt(gameId)), { concurrency: 8, discard: true })
  return adopted
})
