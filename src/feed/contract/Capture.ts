import { Schema } from "effect"

/** What a capture asks a service for, in this order; `sealed`: products of that kind, where the page of products has none. */
export const CapturePart = Schema.Literals([
  "games",
  "products",
  "sealed",
  "expansions",
  "changelog",
  "feeds",
  "catalog lines",
  "expansions lines",
  "prices lines",
  "history",
  "error"
])
export type CapturePart = typeof CapturePart.Type

/** The lines of a feed file that a capture has. */
export const capturedLines = 50

const headerName = /^(?:content-type|retry-after[\w-]*|x-ratelimit-[\w-]*|ratelimit[\w-]*|x-should-retry)$/

/** True for a header that says how to read a body, or a limit, and that can be sent again. */
export const isCapturedHeader = ([name, value]: readonly [name: string, value: string]): boolean =>
  headerName.test(name) && /^[\t\x20-\x7E\x80-\xFF]{0,1000}$/.test(value)

/** A request and what came of it. */
export const CapturedAnswer = Schema.Struct({
  part: CapturePart,
  /** Method, path, query and body; of a feed file the words `GET` and its type, never the link. */
  request: Schema.String,
  status: Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 200, maximum: 599 }))),
  headers: Schema.Record(Schema.String, Schema.String).check(
    Schema.makeFilter((headers) => Object.entries(headers).every(isCapturedHeader))
  ),
  /** As it came, but for what was cut. Of a feed file its first lines. */
  body: Schema.String,
  /** The reason that the body is missing or incomplete; null if it is complete. */
  fault: Schema.NullOr(Schema.String)
})
export type CapturedAnswer = typeof CapturedAnswer.Type

/**
 * A page of each list of a service, with its feeds, limits and errors: enough to try a reader on. It has no key, no
 * link that opens anything, and nothing of an account, so that it can be sent.
 */
export const Capture = Schema.Struct({
  cardlakeCapture: Schema.Literal(1),
  capturedAt: Schema.String,
  cardlakeVersion: Schema.String,
  /** The game that its pages are of; null: none could be named. */
  game: Schema.NullOr(Schema.String),
  answers: Schema.Array(CapturedAnswer)
})
export type Capture = typeof Capture.Type

/** The placeholder for removed data. */
export const cutMark = "<cut>"
