import { DateTime, Effect, Option, Schema } from "effect"
import type { DiffReader } from "./DiffReader.ts"
import type { Html } from "../pages/html.ts"
import type { LakeView } from "./LakeReader.ts"

/** A game that the lake holds. */
export interface KnownGame {
  readonly gameId: string
  readonly name: string
}

/** Files that an address asks for by its ending. */
export const fileFormats = ["csv", "json", "html", "md"] as const
export type FileFormat = (typeof fileFormats)[number]

/** What a browser requested. */
export interface PageRequest {
  /** Without the ending of a file. */
  readonly path: string
  /** Null = the page; else what it lists as a file. */
  readonly format: FileFormat | null
  /** What a file's name says beside the path: the days that are compared. Empty = nothing. */
  readonly fileOf: string
  /** Parts of the path by name, decoded. */
  readonly parts: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** What a form sent by POST; null = no form. */
  readonly form: URLSearchParams | null
  /** A page of this server led here: nobody else's link. */
  readonly isLedHere: boolean
  /** Whether this server shows pictures of cards. */
  readonly hasPictures: boolean
  /** What starts this program where the reader is: `npx cardlake` in a checkout. */
  readonly program: string
  /** Below a page of a site of files, which nobody can ask anything: what it is. Null = the page is served. */
  readonly copy: Html | null
  /** Whether the page of one's own cards is there: a copy has it only if that was asked for. */
  readonly hasOwn: boolean
  readonly lake: LakeView
  readonly differences: DiffReader
  readonly games: ReadonlyArray<KnownGame>
  /** The game that the path or the query names; null = none. */
  readonly game: KnownGame | null
  /** When it was requested, milliseconds since 1970. */
  readonly nowMillis: number
}

/** A page without its frame. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** Absent = 200. */
  readonly status?: number
}

/** The lake has no such thing. */
export class NotThere extends Schema.TaggedError<NotThere>()("NotThere", { what: Schema.String, next: Schema.String }) {
  override get message() {
    return `${this.what}. ${this.next}`
  }
}

/** A parameter of the address is not what its form sends. */
export class BadRequest extends Schema.TaggedError<BadRequest>()("BadRequest", {
  name: Schema.String,
  value: Schema.String,
  expected: Schema.String
}) {
  override get message() {
    return `The parameter ${this.name} is "${this.value}". Give it ${this.expected}`
  }
}

/** Refuses a parameter. */
export const badRequest = (name: string, value: string, expected: string): Effect.Effect<never, BadRequest> =>
  Effect.fail(new BadRequest({ name, value, expected }))

/** A segment of a path; one that cannot be decoded matches nothing. */
export const decodedSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

/** The game of a page that has one. */
export const gameOf = ({ game, parts }: PageRequest): Effect.Effect<KnownGame, NotThere> =>
  game === null
    ? Effect.fail(
        new NotThere({ what: `The lake has no game ${parts["game"] ?? ""}`, next: "Choose one of its games above" })
      )
    : Effect.succeed(game)

/** An id of the path: digits, at most 2^53-1. */
export const idOf = ({ parts }: PageRequest, what: string): Effect.Effect<bigint, NotThere> => {
  const text = parts["id"] ?? ""
  return /^\d{1,16}$/.test(text) && BigInt(text) <= 9007199254740991n
    ? Effect.succeed(BigInt(text))
    : Effect.fail(new NotThere({ what: `${text} is not an id`, next: `Ids of ${what} are whole numbers` }))
}

/** A choice in the query, one of these words; absent or empty = the first of them. */
export const choiceOf = <Word extends string>(
  { query }: PageRequest,
  name: string,
  words: readonly [Word, ...ReadonlyArray<Word>]
): Effect.Effect<Word, BadRequest> => {
  const value = query.get(name) ?? ""
  const word = value === "" ? words[0] : words.find((word) => word === value)
  return word === undefined ? badRequest(name, value, `one of: ${words.join(", ")}`) : Effect.succeed(word)
}

/** A number in the query, up to a million; `absent` if it is missing or empty. */
export const numberOf = (
  { query }: PageRequest,
  name: string,
  { absent, least = 0, whole = true }: { readonly absent: number; readonly least?: number; readonly whole?: boolean }
): Effect.Effect<number, BadRequest> => {
  const value = query.get(name) ?? ""
  const number = value === "" ? absent : /^\d{1,7}(\.\d{1,4})?$/.test(value) ? Number(value) : Number.NaN
  return number >= least && number <= 1_000_000 && (!whole || Number.isInteger(number))
    ? Effect.succeed(number)
    : badRequest(name, value, `a ${whole ? "whole " : ""}number from ${least} to 1000000`)
}

const isSame = (value: string) => (at: DateTime.DateTime) => DateTime.formatIsoDate(at) === value

/** A day in the query, 2026-05-01; null if it is missing or empty. */
export const dayOf = ({ query }: PageRequest, name: string): Effect.Effect<string | null, BadRequest> => {
  const value = query.get(name) ?? ""
  // The 31st of February is none.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && Option.exists(DateTime.make(value), isSame(value))
  return value === "" || isDay
    ? Effect.succeed(value === "" ? null : value)
    : badRequest(name, value, "a day such as 2026-05-01")
}

/** The current address with other parameters; null removes one. */
export const addressWith = ({ path, query }: PageRequest, changes: Readonly<Record<string, string | null>>): string => {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next.size === 0 ? path : `${path}?${next}`
}

/** The address of what the page lists, as a file. */
export const fileAddress = (asked: PageRequest, ending: string): string =>
  addressWith({ ...asked, path: `${asked.path}.${ending}` }, { page: null })

/** Addresses of the pages that others link to. */
export const gameAddress = (gameId: string, section = "") => `/games/${encodeURIComponent(gameId)}/${section}`
export const productAddress = (gameId: string, productId: unknown) =>
  gameAddress(gameId, `products/${String(productId)}`)
export const expansionAddress = (gameId: string, expansionId: unknown) =>
  gameAddress(gameId, `expansions/${String(expansionId)}`)
