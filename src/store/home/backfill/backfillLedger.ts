import { hash } from "node:crypto"
import { appendFile, open, readFile } from "node:fs/promises"
import { join } from "node:path"
import { Effect, Option, Schema } from "effect"
import { makeFolder, replace, whereNothingIs, isThere } from "../disk.ts"
import { Home } from "../Home.ts"
import { lakeStep } from "../../../feed/reading/LakeError.ts"
import { obtained } from "../../../feed/reading/StandIns.ts"
import { readJson, writeJson } from "../jsonFile.ts"

/** Part of a file's name. */
const Day = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/))

/**
 * A line of `ledger.ndjson`: a product and the days to ask for, and what came of it. Of several lines about the same
 * days, the last one counts.
 */
export const BackfillEntry = Schema.Struct({
  product: Schema.Int,
  /** Both days are asked for. */
  from: Day,
  to: Day,
  /**
   * `stored`: its answer is there. `refused`: it is, and the contract takes nothing of it. `not found`: the marketplace
   * has no such product, for good. `failed`: no answer; it is asked again.
   */
  status: Schema.Literals(["queued", "stored", "refused", "not found", "failed"]),
  at: Schema.String,
  /** Of an answer: rows taken and refused, and the file. */
  rows: Schema.optionalKey(Schema.Int),
  refused: Schema.optionalKey(Schema.Int),
  reason: Schema.optionalKey(Schema.String),
  sizeBytes: Schema.optionalKey(Schema.Int),
  sha256: Schema.optionalKey(Schema.String)
})
export type BackfillEntry = typeof BackfillEntry.Type
export type BackfillSpan = Pick<BackfillEntry, "product" | "from" | "to">

/** The same for the same product and days. */
export const spanKey = ({ from, product, to }: BackfillSpan): string => `${product}-${from}-${to}`

/** The file of an answer, in the folder of its game's answers. */
export const answerName = (span: BackfillSpan): string => `${spanKey(span)}.json.gz`
export const answerFile = (gameId: string, span: BackfillSpan) =>
  Effect.map(Home, (home) => join(home.backfillAnswers(gameId), answerName(span)))

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(BackfillEntry))

/** A game's ledger by {@link spanKey}, in the order of the queue. A line that a killed run left half-written is skipped. */
export const readLedger = Effect.fnUntraced(function* (gameId: string) {
  const file = (yield* Home).backfillLedger(gameId)
  yield* obtained(file)
  const text = yield* lakeStep(`Read ${file}`, () => readFile(file, "utf8").catch(whereNothingIs))
  const entries = new Map<string, BackfillEntry>()
  for (const line of (text ?? "").split("\n")) {
    const entry = line === "" ? undefined : Option.getOrUndefined(decode(line))
    if (entry !== undefined) entries.set(spanKey(entry), entry)
  }
  return entries as ReadonlyMap<string, BackfillEntry>
})

/** Adds lines to a game's ledger. They begin on a line of their own, even after a half-written one. */
export const addToLedger = Effect.fnUntraced(function* (gameId: string, entries: ReadonlyArray<BackfillEntry>) {
  if (entries.length === 0) return
  const home = yield* Home
  const file = home.backfillLedger(gameId)
  yield* makeFolder(home.backfillAnswers(gameId))
  const text = entries.map((entry) => `\n${JSON.stringify(entry)}`).join("")
  yield* lakeStep(`Write ${file}`, () => appendFile(file, `${text}\n`))
})

/** Stores an answer whole; the ledger names it afterwards. Returns what the ledger says of the file. */
export const storeAnswer = Effect.fnUntraced(function* (gameId: string, span: BackfillSpan, bytes: Uint8Array) {
  const file = yield* answerFile(gameId, span)
  yield* lakeStep(`Write ${file}`, async () => {
    const handle = await open(`${file}.part`, "w")
    try {
      await handle.writeFile(bytes)
      await handle.sync()
    } finally {
      await handle.close()
    }
  })
  yield* replace(`${file}.part`, file)
  return { sizeBytes: bytes.length, sha256: hash("sha256", bytes, "hex") }
})

/** `backfill/limits.json`: what a marketplace said of the limit of its price history. */
export const BackfillLimits = Schema.Struct({
  url: Schema.String,
  limit: Schema.Int.check(Schema.isGreaterThanOrEqualTo(1)),
  /** What its headers stated then; null = nothing. */
  stated: Schema.NullOr(Schema.Int)
})
export type BackfillLimits = typeof BackfillLimits.Type

/** Null: none was learnt. A damaged file is none either: it is learnt again. */
export const readBackfillLimits = Effect.gen(function* () {
  const { backfillLimits } = yield* Home
  if (!isThere(backfillLimits)) return null
  const learntAgain = `${backfillLimits} cannot be read. The limit of the price history is learnt again`
  return yield* readJson(backfillLimits, BackfillLimits).pipe(
    Effect.catch(() => Effect.as(Effect.logWarning(learntAgain), null))
  )
})

export const writeBackfillLimits = (limits: BackfillLimits) =>
  Effect.flatMap(Home, ({ backfillLimits }) => writeJson(backfillLimits, BackfillLimits, limits))
