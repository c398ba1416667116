import { duplicateKey } from "./duplicateKey.ts"
import type { Refusal } from "./Extraction.ts"
import { isPlainAround } from "./isPlainAround.ts"
import { countKeys, deepest } from "./keyCounter.ts"
import { scanPage } from "./pageScan.ts"
import type { RecordRules } from "./recordRules.ts"
import { recordTexts } from "./recordTexts.ts"
import { mostUnknownKeys, splitUnknownKeys } from "./splitUnknownKeys.ts"
import { textDoubts } from "./textDoubts.ts"
import type { TextDoubts } from "./textDoubts.ts"
import { unsafeValue } from "./unsafeValue.ts"

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
  /** `{"data":[...]}` for the loader, where it must not read the page as it came; else null. */
  readonly derived: string | null
}

interface Doubts extends TextDoubts {
  /** An object may have a key twice. */
  readonly keys: boolean
  /** Something else than a flat pagination stands around the records. */
  readonly around: boolean
}

interface Fault {
  readonly path: string
  readonly reason: string
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

/** For reading, and well formed: a cut may go through a pair of surrogates. */
const shortened = (value: unknown): string => String(value).slice(0, 60).toWellFormed()

/** A path is for reading, too; its keys may be as long as the page. */
const shortPath = (path: string): string => path.slice(0, 1000).toWellFormed()

const gameFault = (record: unknown, gameId: string | null): Fault | null => {
  if (gameId === null || !isObject(record)) return null
  const id = record["gameId"]
  return id === undefined || id === null || id === gameId
    ? null
    : { path: "gameId", reason: `Of another game: ${shortened(id)}` }
}

/** Whether no record has a key that is not known, or one twice, and none stands between the records; `inText` keys stand in the text. */
const keysOnce = (rules: RecordRules, data: ReadonlyArray<unknown>, inText: number): boolean => {
  let keys = 0
  for (const record of data) {
    const count = rules.countKeys(record)
    if (count < 0) return false
    keys += count
  }
  return keys === inText
}

/**
 * Every record of a page through the contract. The fast way decides for a whole page; any doubt (a refusal, a key twice, an unknown
 * key, an alias, a text that the loader reads differently) sends the page record by record. `gameId` is what records
 * that name a game must name; null for lists of games.
 * Design: decision 4.
 */
export const acceptPage = (
  rules: RecordRules,
  gameId: string | null,
  page: { readonly plain: Uint8Array; readonly text: string; readonly data: ReadonlyArray<unknown> }
): AcceptedPage => {
  const { data, plain, text } = page
  const scanned = scanPage(plain)
  const doubts = textDoubts(text, scanned)
  const around = !isPlainAround(text)
  const clean =
    !around &&
    !doubts.layout &&
    !doubts.values &&
    !doubts.colons &&
    rules.areRecords(data) &&
    keysOnce(rules, data, scanned.keys) &&
    !data.some((record) => gameFault(record, gameId) !== null)
  if (clean) {
    return {
      received: data.length,
      accepted: data.length,
      refusals: [],
      unknownKeys: new Map(),
      drifted: 0,
      derived: null
    }
  }
  const known = countKeys(data)
  const keys = doubts.colons || scanned.keys !== known
  return acceptSlowly(rules, gameId, page, { ...doubts, values: doubts.values || known < 0, keys, around })
}

const keyTwice = (raw: string): Fault | null => {
  const path = duplicateKey(raw)
  return path === null ? null : { path, reason: "A key that stands twice in its object" }
}

type RecordResult =
  | { readonly _tag: "refused"; readonly fault: Fault }
  /** `text` is null where the record stands as it came. */
  | { readonly _tag: "accepted"; readonly text: string | null }

/** One record through the contract; `record` is changed in place. */
const acceptRecord = (
  rules: RecordRules,
  gameId: string | null,
  { record, raw }: { readonly record: unknown; readonly raw: string },
  doubts: Doubts,
  onUnknownKeys: (paths: ReadonlySet<string>) => void
): RecordResult => {
  if (isTooDeep(record))
    return { _tag: "refused", fault: { path: "", reason: `Nested more than ${deepest} levels deep` } }
  const { changed, extra, paths } = splitUnknownKeys(rules.shape, record, rules.aliases, rules.keepers)
  if (paths.size > mostUnknownKeys) {
    return {
      _tag: "refused",
      fault: { path: "", reason: `More than ${mostUnknownKeys} keys that the contract does not know` }
    }
  }
  const unsafe = (doubts.values ? unsafeValue(raw) : null) ?? (doubts.keys ? keyTwice(raw) : null)
  if (paths.size > 0) onUnknownKeys(paths)
  const fault = unsafe ?? (rules.isRecord(record) ? gameFault(record, gameId) : rules.fault(record))
  if (fault !== null) return { _tag: "refused", fault }
  if (extra === undefined && !changed && !doubts.layout) return { _tag: "accepted", text: null }
  return {
    _tag: "accepted",
    text: JSON.stringify(extra !== undefined && isObject(record) ? { ...record, ...rules.extras(extra) } : record)
  }
}

const isTooDeep = (record: unknown): boolean => {
  let level: ReadonlyArray<unknown> = [record]
  for (let depth = 0; depth <= deepest; depth++) {
    level = level.flatMap((at) => (isObject(at) ? Object.values(at).filter(isObject) : []))
    if (level.length === 0) return false
  }
  return true
}

const idText = (record: unknown): string | null => {
  const id = isObject(record) ? record["id"] : null
  return typeof id === "number" || typeof id === "string" ? shortened(id) : null
}

const acceptSlowly = (
  rules: RecordRules,
  gameId: string | null,
  { data, text }: { readonly text: string; readonly data: ReadonlyArray<unknown> },
  doubts: Doubts
): AcceptedPage => {
  const texts = recordTexts(text)
  const refusals: Array<Omit<Refusal, "page">> = []
  const unknownKeys = new Map<string, number>()
  const accepted: Array<string> = []
  let drifted = 0
  const count = (paths: ReadonlySet<string>) => {
    drifted += 1
    for (const key of new Set([...paths].map(shortPath))) unknownKeys.set(key, (unknownKeys.get(key) ?? 0) + 1)
  }
  // A key between the records, as a second `data`, shows as a key too many.
  let asItCame = !doubts.layout && !doubts.around && !doubts.keys
  for (const [index, record] of data.entries()) {
    const raw = texts[index] ?? ""
    const id = idText(record)
    const result = acceptRecord(rules, gameId, { record, raw }, doubts, count)
    asItCame &&= result._tag === "accepted" && result.text === null
    if (result._tag === "accepted") accepted.push(result.text ?? raw)
    else {
      const { path, reason } = result.fault
      refusals.push({ kind: rules.kind, index, id, path: shortPath(path), reason: reason.toWellFormed(), raw })
    }
  }
  return {
    received: data.length,
    accepted: accepted.length,
    refusals,
    unknownKeys,
    drifted,
    derived: asItCame ? null : `{"data":[${accepted.join(",")}]}`
  }
}
