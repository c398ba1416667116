import { duplicateKey } from "./duplicateKey.ts"
import type { Refusal } from "./Extraction.ts"
import { countKeys } from "./keyCounter.ts"
import { keysInText } from "./keysInText.ts"
import type { RecordRules } from "./recordRules.ts"
import { recordTexts } from "./recordTexts.ts"
import { splitUnknownKeys } from "./splitUnknownKeys.ts"
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
  /** `{"data":[...]}` for the loader, where it must not read the page as it came; else null. */
  readonly derived: string | null
}

interface Doubts extends TextDoubts {
  /** An object may have a key twice. */
  readonly keys: boolean
}

interface Fault {
  readonly path: string
  readonly reason: string
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null

const gameFault = (record: unknown, gameId: string | null): Fault | null => {
  if (gameId === null || !isObject(record)) return null
  const id = record["gameId"]
  return id === undefined || id === null || id === gameId
    ? null
    : { path: "gameId", reason: `Of another game: ${String(id).slice(0, 60)}` }
}

/** Whether no record has a key that is not known, or one twice. */
const keysOnce = (rules: RecordRules, data: ReadonlyArray<unknown>, plain: Uint8Array): boolean => {
  let keys = 0
  for (const record of data) {
    const count = rules.countKeys(record)
    if (count < 0) return false
    keys += count
  }
  return keys === keysInText(plain)
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
  const doubts = textDoubts(text, plain)
  const clean =
    !doubts.layout &&
    !doubts.values &&
    rules.areRecords(data) &&
    keysOnce(rules, data, plain) &&
    !data.some((record) => gameFault(record, gameId) !== null)
  if (clean) {
    return { received: data.length, accepted: data.length, refusals: [], unknownKeys: new Map(), derived: null }
  }
  return acceptSlowly(rules, gameId, page, { ...doubts, keys: keysInText(plain) !== countKeys(data) })
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
  onUnknownKey: (path: string) => void
): RecordResult => {
  const unsafe = (doubts.values ? unsafeValue(raw) : null) ?? (doubts.keys ? keyTwice(raw) : null)
  const { extra, paths, renamed } = splitUnknownKeys(rules.shape, record, rules.aliases)
  for (const path of paths) onUnknownKey(path)
  const fault = unsafe ?? (rules.isRecord(record) ? gameFault(record, gameId) : rules.fault(record))
  if (fault !== null) return { _tag: "refused", fault }
  if (extra === undefined && !renamed && !doubts.layout) return { _tag: "accepted", text: null }
  return {
    _tag: "accepted",
    text: JSON.stringify(extra !== undefined && isObject(record) ? { ...record, extra } : record)
  }
}

/** Nesting of some thousand levels overflows the stack of whoever walks it: a record like that is refused. */
const guarded = (accept: () => RecordResult): RecordResult => {
  try {
    return accept()
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    return { _tag: "refused", fault: { path: "", reason: "Nested too deeply" } }
  }
}

const idText = (record: unknown): string | null => {
  const id = isObject(record) ? record["id"] : null
  return typeof id === "number" || typeof id === "string" ? String(id).slice(0, 60) : null
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
  const count = (path: string) => unknownKeys.set(path, (unknownKeys.get(path) ?? 0) + 1)
  let asItCame = !doubts.layout
  for (const [index, record] of data.entries()) {
    const raw = texts[index] ?? ""
    const id = idText(record)
    const result = guarded(() => acceptRecord(rules, gameId, { record, raw }, doubts, count))
    asItCame &&= result._tag === "accepted" && result.text === null
    if (result._tag === "accepted") accepted.push(result.text ?? raw)
    else refusals.push({ kind: rules.kind, index, id, ...result.fault, raw })
  }
  return {
    received: data.length,
    accepted: accepted.length,
    refusals,
    unknownKeys,
    derived: asItCame ? null : `{"data":[${accepted.join(",")}]}`
  }
}
