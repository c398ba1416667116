import { Result } from "effect"
import type { NotOurJson, OpenedJson } from "../client/OpenFault.ts"
import { readText, readCursorPage, readOffsetPage, type PageContent } from "../client/pageCalls.ts"
import { unpack } from "../client/RawBody.ts"
import { mayRepeat } from "../client/scrub.ts"
import { acceptPage, type AcceptedPage, type RecordSink } from "./acceptPage.ts"
import { type Dialect, dialects, type KnownDialect } from "../contract/dialect/dialects.ts"
import { isWordy, type PageKind } from "../contract/records.ts"
import { rewordPage } from "../contract/dialect/reworded.ts"
import { recordRules } from "./recordRules.ts"
import { isObject } from "./isObject.ts"
import { noNames, type DetectedNames, detectDialect } from "./detectDialect.ts"

/** A page to be parsed. Plain values only: it goes to another thread. */
export interface SentPage {
  readonly kind: PageKind
  readonly gameId: string
  /** The dialect to read it in; null if the page determines it. */
  readonly dialect: Dialect | null
  /** The page's number in its list, from 0; gaps do not matter. */
  readonly number: number
  readonly bytes: Uint8Array
  readonly encoding: string | undefined
  /** True if the page holds the lock of large pages, so that any size may be unzipped. */
  readonly mayBeLarge: boolean
  /** The API key, which no page may repeat; empty if it cannot occur. */
  readonly key: string
  /** The expectation of the page's call; null for a stored page, which was checked when received. */
  readonly expects: number | null
  /** Its records are only counted: none is checked, and none is kept. */
  readonly isCounted?: boolean
  /** Records that were refused when the page was first read: they stay out. */
  readonly leftOut: ReadonlyArray<number>
}

/** A parsed page: what remains besides its records. Plain values only. */
export interface ParsedPage extends AcceptedPage {
  readonly _tag: "parsed"
  readonly gzip: boolean
  readonly sizeBytes: number
  readonly pagination: unknown
  /** The unchanged ids of its records; undefined where a record has none. */
  readonly ids: ReadonlyArray<unknown>
  readonly spoken: DetectedNames
}

export type Parsed =
  | ParsedPage
  /** Too large for a page that does not hold the lock. */
  | { readonly _tag: "large" }
  /** It may repeat the API key, which has to be removed first. */
  | { readonly _tag: "repeatsKey" }
  | { readonly _tag: "broken"; readonly what: string }
  | NotOurJson

const readAnyList = (json: unknown): Result.Result<PageContent<unknown>, string> =>
  isObject(json) && Array.isArray(json["data"])
    ? Result.succeed({ data: json["data"], pagination: null })
    : Result.fail("no list")

const chooseReader = ({ expects, kind }: SentPage) => {
  if (expects === null || kind === "games") return readAnyList
  return kind === "changelog" ? readCursorPage(expects) : readOffsetPage(expects)
}

const readId = (record: unknown): unknown => {
  const id = isObject(record) ? (record["id"] ?? record["productId"]) : undefined
  return typeof id === "number" || typeof id === "string" ? id : undefined
}

/** Unzips, parses and checks a page; accepted records go to what `sinkIn` gives for the page's words. */
export const parsePage = (sent: SentPage, sinkIn: (dialect: Dialect) => RecordSink): Parsed => {
  const unpacked = unpack(sent.bytes, sent.encoding, sent.mayBeLarge)
  if (Result.isFailure(unpacked)) return { _tag: "broken", what: unpacked.failure }
  if (unpacked.success === null) return { _tag: "large" }
  const { gzip, plain, text } = unpacked.success
  if (mayRepeat(sent.key, text)) return { _tag: "repeatsKey" }
  const read: OpenedJson<PageContent<unknown>> = readText(text, (json) =>
    chooseReader(sent)(rewordPage(json, sent.kind, sent.dialect))
  )
  if (Result.isFailure(read))
    return typeof read.failure === "string" ? { _tag: "broken", what: read.failure } : read.failure
  const { data, pagination } = read.success
  const ids = data.map(readId)
  const spoken = isWordy(sent.kind) ? detectDialect(data, sent.dialect) : noNames
  if (sent.isCounted === true) {
    const whole = { received: ids.length, accepted: ids.length, refusals: [], unknownKeys: new Map(), drifted: 0 }
    return { _tag: "parsed", gzip, sizeBytes: plain.length, pagination, ids, spoken, ...whole }
  }
  const leftOut = new Set(sent.leftOut)
  const dialect = sent.dialect ?? dialects[(spoken.fits[0] ?? "spec") as KnownDialect]
  const accepted = sinkIn(dialect)
  const checked = acceptPage(
    recordRules(dialect)[sent.kind],
    sent.kind === "games" ? null : sent.gameId,
    { plain, text, data },
    (record, index) => {
      if (!leftOut.has(index)) accepted(record, index)
    }
  )
  return { _tag: "parsed", gzip, sizeBytes: plain.length, pagination, ids, spoken, ...checked }
}
