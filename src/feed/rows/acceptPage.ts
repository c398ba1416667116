import { Schema } from "effect"
import { PageKind } from "../contract/records.ts"
import { duplicateKey, spanAt, spansIn } from "../contract/jsonSpans.ts"
import { maxDepth, mayLoseOnParse } from "./mayLoseOnParse.ts"
import { isObject } from "./isObject.ts"
import { exactRecord, unpairedText, withCutPercentages, withTexts } from "./exactRecord.ts"
import { knowsKeys, hasTooManyKeys, maxUnknownKeys, splitUnknownKeys } from "./splitUnknownKeys.ts"
import type { RecordRules } from "./recordRules.ts"

/** A record that the contract refuses. Stored with its position and reason and counted, never dropped. */
export const Refusal = Schema.Struct({
  kind: PageKind,
  /** `file` of its page. */
  page: Schema.String,
  /** Position in the page's `data`, from 0. */
  index: Schema.Int,
  /** The record's id as text, if it has one. */
  id: Schema.NullOr(Schema.String),
  /** Field path of the first fault, such as `pricesByFinish.Foil.sourceEur.low`. */
  path: Schema.String,
  reason: Schema.String,
  /** The record as JSON text; of a very long one, the beginning and a mark. */
  raw: Schema.String
})
export type Refusal = typeof Refusal.Type

/** Characters that are stored of one refused record, and of all those of a page: the raw page has the rest. */
const maxRecordLength = 1_000_000
const maxPageLength = 32_000_000

/** The raw text of a record that is stored in part ends with this. */
const cutMark = (length: number): string =>
  ` ... cut: the record has ${length} characters, and its raw page has them all`

/** The refusals of a page as the lines of `refusals.ndjson`. */
export const refusalLines = (file: string, refusals: ReadonlyArray<Omit<Refusal, "page">>): ReadonlyArray<string> => {
  let left = maxPageLength
  return refusals.map((refusal) => {
    const most = Math.min(maxRecordLength, left)
    const { length } = refusal.raw
    const raw = length <= most ? refusal.raw : refusal.raw.slice(0, most).toWellFormed() + cutMark(length)
    left = Math.max(0, left - length)
    return `${JSON.stringify({ ...refusal, raw, page: file } satisfies Refusal)}\n`
  })
}

/** A page after every record went through the contract: accepted + refused = received. */
export interface AcceptedPage {
  readonly received: number
  readonly accepted: number
  /** Without the page's file name, which is not known here. */
  readonly refusals: ReadonlyArray<Omit<Refusal, "page">>
  /** Unknown key paths with how many records of the page carry each. */
  readonly unknownKeys: ReadonlyMap<string, number>
  /** Records that carry an unknown key. */
  readonly drifted: number
}

/**
 * An accepted record, to be changed as whoever takes it likes, with its place in the page. Aliases are in the
 * spec's words; keys that the contract does not know lie under `extra` (of whole price blocks: `priceExtra`).
 */
export type RecordSink = (record: Record<string, unknown>, index: number) => void

interface Fault {
  readonly path: string
  readonly reason: string
}

/** For reading, and well formed: a cut may go through a pair of surrogates. */
export const shortened = (value: unknown): string => String(value).slice(0, 60).toWellFormed()

/** A path is for reading, too; its keys may be as long as the page. */
const shortPath = (path: string): string => path.slice(0, 1000).toWellFormed()

const gameFault = (record: unknown, gameId: string | null): Fault | null => {
  if (gameId === null || !isObject(record)) return null
  const id = record["gameId"]
  return id === undefined || id === null || id === gameId
    ? null
    : { path: "gameId", reason: `Of another game: ${shortened(id)}` }
}

/**
 * Every record of a page through the contract; `take` gets the accepted ones and may change them. A page that
 * raises any doubt is checked record by record. `gameId`: the game that records must name. Design: decision 4.
 */
export const acceptPage = (
  rules: RecordRules,
  gameId: string | null,
  page: { readonly plain: Uint8Array; readonly text: string; readonly data: ReadonlyArray<unknown> },
  take: RecordSink
): AcceptedPage => {
  const { data } = page
  if (
    mayLoseOnParse(page.plain) ||
    !rules.areRecords(data) ||
    !data.every((record) => knowsKeys(rules.shape, record) && gameFault(record, gameId) === null)
  ) {
    return acceptSlowly(rules, gameId, page, take)
  }
  for (const [index, record] of data.entries()) if (isObject(record)) take(record, index)
  return { received: data.length, accepted: data.length, refusals: [], unknownKeys: new Map(), drifted: 0 }
}

const keyTwice = (raw: string): Fault | null => {
  const path = duplicateKey(raw)
  return path === null ? null : { path, reason: "Duplicate key in object" }
}

/** Returns a fault that is in a record's text and not in its value, or data that the lake cannot store; else null. */
export const hiddenFault = (record: unknown, raw: string): Fault | null => unpairedText(record) ?? keyTwice(raw)

const tooManyKeys: Fault = { path: "", reason: `More than ${maxUnknownKeys} keys that the contract does not know` }

/** One record through the contract, changed in place; the fault that it is refused for, or what is kept of it. */
const acceptRecord = (
  rules: RecordRules,
  gameId: string | null,
  { parsed, raw }: { readonly parsed: unknown; readonly raw: string },
  onUnknownKeys: (paths: ReadonlySet<string>) => void
): { readonly fault: Fault } | { readonly kept: Record<string, unknown> } => {
  if (hasTooManyKeys(parsed)) return { fault: tooManyKeys }
  if (isTooDeep(parsed)) return { fault: { path: "", reason: `Nested more than ${maxDepth} levels deep` } }
  const isDoubtful = mayLoseOnParse(Buffer.from(raw))
  const isReparsed = isDoubtful || raw.includes("\\")
  const record = isReparsed ? parsedAgain(rules, raw) : parsed
  const hidden = isDoubtful ? hiddenFault(record, raw) : null
  const { extra, paths } = splitUnknownKeys(rules.shape, record, rules.aliases, rules.keepers)
  if (paths.size > maxUnknownKeys) return { fault: tooManyKeys }
  if (paths.size > 0) onUnknownKeys(paths)
  const fault = hidden ?? (rules.isRecord(record) ? gameFault(record, gameId) : rules.fault(record))
  if (fault !== null || !isObject(record)) return { fault: fault ?? { path: "", reason: "Refused by the contract" } }
  const kept = extra === undefined ? record : { ...record, ...rules.extras(extra) }
  return { kept: isReparsed ? withTexts(kept) : kept }
}

const isTooDeep = (record: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [record]
  for (let depth = 0; depth <= maxDepth; depth++) {
    level = level.flatMap((at) => (isObject(at) ? Object.values(at).filter(isObject) : []))
    if (level.length === 0) return false
  }
  return true
}

const parsedAgain = (rules: RecordRules, raw: string): unknown => {
  const record = exactRecord(raw)
  rules.reword(record)
  return withCutPercentages(record)
}

const idText = (record: unknown): string | null => {
  const id = isObject(record) ? (record["id"] ?? record["productId"]) : null
  return typeof id === "number" || typeof id === "string" ? shortened(id) : null
}

const acceptSlowly = (
  rules: RecordRules,
  gameId: string | null,
  { data, text }: { readonly text: string; readonly data: ReadonlyArray<unknown> },
  take: RecordSink
): AcceptedPage => {
  const texts = recordTexts(text, rules.path)
  const refusals: Array<Omit<Refusal, "page">> = []
  const unknownKeys = new Map<string, number>()
  let drifted = 0
  const count = (paths: ReadonlySet<string>) => {
    drifted += 1
    for (const key of new Set([...paths].map(shortPath))) unknownKeys.set(key, (unknownKeys.get(key) ?? 0) + 1)
  }
  for (const [index, parsed] of data.entries()) {
    const raw = texts[index] ?? ""
    const id = idText(parsed)
    const result = acceptRecord(rules, gameId, { parsed, raw }, count)
    if ("kept" in result) take(result.kept, index)
    else {
      const { path, reason } = result.fault
      refusals.push({ kind: rules.kind, index, id, path: shortPath(path), reason: reason.toWellFormed(), raw })
    }
  }
  return { received: data.length, accepted: data.length - refusals.length, refusals, unknownKeys, drifted }
}

/**
 * The records of a page's `data`, or of the list at another path, as received text, because the text still shows digits,
 * escapes and duplicate keys. `text` must be valid JSON.
 */
export const recordTexts = (text: string, path: ReadonlyArray<string> = ["data"]): ReadonlyArray<string> => {
  const list = spanAt(text, path)
  return list === null ? [] : spansIn(text, list.start).map(({ end, start }) => text.slice(start, end))
}
