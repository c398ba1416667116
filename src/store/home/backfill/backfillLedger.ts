import { hash } from "node:crypto"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { makeFolder, replace, whereNothingIs, isThere } from "../disk.ts"
import { Home } from "../Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { download } from "../../../feed/reading/RemoteFiles.ts"
import { readJson, writeJson } from "../jsonFile.ts"

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

/** Returns the name of an answer's file in its game's folder. */
export const answerName = (span: BackfillSpan): string => `${spanKey(span)}.json.gz`
export const answerFile = (gameId: string, span: BackfillSpan) =>
  Effect.map(Home, (home) => join(home.backfillAnswers(gameId), answerName(span)))

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
