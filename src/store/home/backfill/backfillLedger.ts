import { hash } from "node:crypto"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import {
  makeFolder,
  replace,
  whereNothingIs,
  isThere,
  foldersIn,
  FileDamaged,
  type FileOnRecord,
  filesOnRecord,
  verifySize
} from "../disk.ts"
import { Home } from "../Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import { readJson, writeJson } from "../jsonFile.ts"
import { GameId, RunId } from "../../../feed/contract/Ids.ts"
import { Part } from "../Manifest.ts"

/** UTC day; validated because it becomes part of a file name. */
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/** A line of `ledger.ndjson`: requested days of a product and the outcome. The last line counts. */
export const BackfillEntry = Schema.Struct({
  product: Schema.Int,
  /** First and last requested day, both inclusive. */
  from: Day,
  to: Day,
  /**
   * `stored`: the answer was stored. `refused`: it was stored, but the contract accepts none of it. `not found`: the
   * product does not exist, permanently. `failed`: no answer; it will be retried.
   */
  status: Schema.Literals(["queued", "stored", "refused", "not found", "failed"]),
  at: Schema.String,
  /** Rows accepted and refused, and the file of the answer. */
  rows: Schema.optionalKey(Schema.Int),
  refused: Schema.optionalKey(Schema.Int),
  reason: Schema.optionalKey(Schema.String),
  sizeBytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Schema.String)
})
export type BackfillEntry = typeof BackfillEntry.Type
export type BackfillSpan = Pick<BackfillEntry, "product" | "from" | "to">

export const spanKey = ({ from, product, to }: BackfillSpan): string => `${product}-${from}-${to}`

export const answerFile = (gameId: string, span: BackfillSpan) =>
  Effect.map(Home, (home) => join(home.backfillAnswers(gameId), `${spanKey(span)}.json.gz`))

/** Returns the record of a stored answer; null if no answer was stored. */
export const answerOnRecord = (gameId: string, entry: BackfillEntry) =>
  Effect.map(answerFile(gameId, entry), (file): FileOnRecord | null =>
    entry.sha256 === undefined ? null : { file, sizeBytes: entry.sizeBytes ?? null, sha256: [entry.sha256] }
  )

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(BackfillEntry))

/** Returns a game's ledger by {@link spanKey}, in queue order. Skips a line that a killed run left incomplete. */
export const readLedger = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).backfillLedger(gameId)
  yield* download(file)
  const text = yield* lakeStep(`Read ${file}`, (disk) => disk.readText(file).catch(whereNothingIs))
  const entries = new Map<string, BackfillEntry>()
  for (const line of (text ?? "").split("\n")) {
    const entry = line === "" ? undefined : Option.getOrUndefined(decode(line))
    if (entry !== undefined) entries.set(spanKey(entry), entry)
  }
  return entries as ReadonlyMap<string, BackfillEntry>
})

/** Appends lines to a game's ledger, on a new line even after an incomplete one. */
export const addToLedger = Effect.fnUntraced(function* (gameId: string, entries: ReadonlyArray<BackfillEntry>) {
  if (entries.length === 0) return
  const home = yield* Home
  const file = home.backfillLedger(gameId)
  yield* makeFolder(home.backfillAnswers(gameId))
  const text = entries.map((entry) => `\n${JSON.stringify(entry)}`).join("")
  yield* lakeStep(`Write ${file}`, (disk) => disk.append(file, `${text}\n`))
})

/** Stores an answer atomically, before the ledger names it. Returns the file's fields of its ledger entry. */
export const storeAnswer = Effect.fnUntraced(function* (gameId: string, span: BackfillSpan, bytes: Uint8Array) {
  const file = yield* answerFile(gameId, span)
  yield* lakeStep(`Write ${file}`, (disk) => disk.write(`${file}.part`, bytes, { flush: true }))
  yield* replace(`${file}.part`, file)
  return { sizeBytes: bytes.length, sha256: hash("sha256", bytes, "hex") }
})

/** `backfill/limits.json`: the learned limits of a marketplace's price history. */
export const BackfillLimits = Schema.Struct({
  url: Schema.String,
  limit: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** The limit that the headers stated then; null if none. */
  stated: Schema.NullOr(Schema.Int)
})
export type BackfillLimits = typeof BackfillLimits.Type

/** Returns the learned limits; null if there are none or the file is damaged, so that they are learned again. */
export const readBackfillLimits = Effect.gen(function* () {
  const { backfillLimits } = yield* Home
  if (!isThere(backfillLimits)) return null
  const learntAgain = `${backfillLimits} cannot be read. The limit of the price history is relearned`
  return yield* readJson(backfillLimits, BackfillLimits).pipe(
    Effect.catch(() => Effect.as(Effect.logWarning(learntAgain), null))
  )
})

export const writeBackfillLimits = (limits: BackfillLimits) =>
  Effect.flatMap(Home, ({ backfillLimits }) => writeJson(backfillLimits, BackfillLimits, limits))

/** `part.json`, written last: the part of the history that a night made from a game's backfill. */
export const BackfillPart = Schema.Struct({
  gameId: GameId,
  /** The run that wrote it. */
  part: RunId,
  cardlakeVersion: Schema.String,
  /** Earlier parts whose rows it includes. */
  replaces: Schema.Array(RunId),
  tables: Part.fields.tables
})
export type BackfillPart = typeof BackfillPart.Type

export interface BackfillPartFolder {
  readonly folder: string
  readonly part: BackfillPart
}

export const backfillPartFiles = ({ folder, part }: BackfillPartFolder) => filesOnRecord(folder, part.tables)

/** Returns every complete part of a game, oldest first. Fails with {@link FileDamaged} if one cannot be read. */
export const allBackfillParts = Effect.fnUntraced(function* (gameId: string) {
  const home = yield* Home
  const runs = (yield* foldersIn(home.backfillParts(gameId), "part=")).map((name) => RunId.make(name))
  const whole = runs.filter((run) => isThere(join(home.backfillPart(gameId, run), "part.json")))
  return yield* Effect.forEach(
    whole,
    Effect.fnUntraced(function* (run) {
      const folder = home.backfillPart(gameId, run)
      const file = join(folder, "part.json")
      const part = yield* readJson(file, BackfillPart)
      if (part.gameId === gameId && part.part === run) return { folder, part } satisfies BackfillPartFolder
      return yield* new FileDamaged({ file, what: `it belongs to ${part.gameId}, written by ${part.part}` })
    })
  )
})

/** Returns the parts that no other part replaces, after verifying that their files exist. */
export const listBackfillParts = Effect.fnUntraced(function* (gameId: string) {
  const all = yield* allBackfillParts(gameId)
  const replaced = new Set(all.flatMap(({ part }) => part.replaces))
  const present = all.filter(({ part }) => !replaced.has(part.part))
  yield* Effect.forEach(present.flatMap(backfillPartFiles), verifySize, { discard: true })
  return present as ReadonlyArray<BackfillPartFolder>
})
