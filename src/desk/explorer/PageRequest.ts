import { Data, DateTime, Effect, Option } from "effect"
import type { DiffReader } from "./DiffReader.ts"
import type { Html } from "../pages/html.ts"
import type { LakeView } from "./LakeReader.ts"

export interface KnownGame {
  readonly gameId: string
  readonly name: string
}

/** File formats that an address can request by its extension. */
const fileFormats = ["csv", "json", "html", "md"] as const
export type FileFormat = (typeof fileFormats)[number]

/** Splits an address into its path and the file format that its extension requests; null = the page itself. */
export const splitFormat = (pathname: string): Pick<PageRequest, "path" | "format"> => {
  const format = fileFormats.find((ending) => pathname.endsWith(`.${ending}`)) ?? null
  return { path: format === null ? pathname : pathname.slice(0, -format.length - 1), format }
}

/** A browser's request for a page. */
export interface PageRequest {
  /** The path without a file extension. */
  readonly path: string
  /** The file format to return instead of the page; null = the page itself. */
  readonly format: FileFormat | null
  /** The part of the file name that names the compared days; empty for other lists. */
  readonly fileOf: string
  /** Decoded parameters of the path by name. */
  readonly parts: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** The fields of a form sent by POST; null = no form. */
  readonly form: URLSearchParams | null
  /** True if a page of this server led here, not an external link. */
  readonly isLedHere: boolean
  /** True if this server shows pictures of cards. */
  readonly hasPictures: boolean
  /** The command that starts this program in the reader's environment: `npx cardlake` in a checkout. */
  readonly program: string
  /** The note below every page of a static site that describes the copy; null = a server renders the page. */
  readonly copy: Html | null
  /** True if the page of the reader's cards exists; a static site has it only on request. */
  readonly hasOwn: boolean
  readonly lake: LakeView
  readonly differences: DiffReader
  readonly games: ReadonlyArray<KnownGame>
  /** The game that the path or the query names; null = none. */
  readonly game: KnownGame | null
  /** The time of the request in milliseconds since 1970. */
  readonly nowMillis: number
}

/** A page without its frame. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** The HTTP status; absent = 200. */
  readonly status?: number
}

/** The item does not exist in the lake. */
export class NotThere extends Data.TaggedError("NotThere")<{ readonly message: string }> {}

/** A parameter of the address has a value that its form cannot send. */
export class BadRequest extends Data.TaggedError("BadRequest")<{ readonly message: string }> {}

/** Fails with {@link BadRequest} for a parameter. */
export const badRequest = (name: string, value: string, expected: string): Effect.Effect<never, BadRequest> =>
  Effect.fail(new BadRequest({ message: `Parameter ${name} is "${value}". It must be ${expected}` }))

/** Decodes a path segment; returns a text that matches nothing if it cannot be decoded. */
export const decodedSegment = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return ""
  }
}

/** Returns the game of the page, or fails if the lake does not have it. */
export const readGame = ({ game, parts }: PageRequest): Effect.Effect<KnownGame, NotThere> =>
  game === null
    ? Effect.fail(new NotThere({ message: `The lake has no game ${parts["game"] ?? ""}. Choose a game above` }))
    : Effect.succeed(game)

/** Reads an id from the path: digits, at most 2^53-1. */
export const readId = ({ parts }: PageRequest, what: string): Effect.Effect<bigint, NotThere> => {
  const text = parts["id"] ?? ""
  return /^\d{1,16}$/.test(text) && BigInt(text) <= 9007199254740991n
    ? Effect.succeed(BigInt(text))
    : Effect.fail(new NotThere({ message: `${text} is not an id. The id of ${what} is a whole number` }))
}

/** Reads a choice from the query. The first word is the default. */
export const readChoice = <Word extends string>(
  { query }: PageRequest,
  name: string,
  words: readonly [Word, ...ReadonlyArray<Word>]
): Effect.Effect<Word, BadRequest> => {
  const value = query.get(name) ?? ""
  const word = value === "" ? words[0] : words.find((word) => word === value)
  return word === undefined ? badRequest(name, value, `one of ${words.join(", ")}`) : Effect.succeed(word)
}

/** Reads a number up to a million from the query; `absent` is the default. */
export const readNumber = (
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

/** Reads a day such as 2026-05-01 from the query; null if it is missing or empty. */
export const readDay = ({ query }: PageRequest, name: string): Effect.Effect<string | null, BadRequest> => {
  const value = query.get(name) ?? ""
  // Rejects days that do not exist, such as 31 February.
  const isDay = /^\d{4}-\d\d-\d\d$/.test(value) && Option.exists(DateTime.make(value), isSame(value))
  return value === "" || isDay
    ? Effect.succeed(value === "" ? null : value)
    : badRequest(name, value, "a date such as 2026-05-01")
}

/** Returns the current address with changed parameters; null removes one. */
export const addressWith = ({ path, query }: PageRequest, changes: Readonly<Record<string, string | null>>): string => {
  const next = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.delete(name)
    else next.set(name, value)
  }
  return next.size === 0 ? path : `${path}?${next}`
}

/** Returns the address of the page's list as a file. */
export const fileAddress = (request: PageRequest, ending: string): string =>
  addressWith({ ...request, path: `${request.path}.${ending}` }, { page: null })

/** Addresses of the pages that others link to. */
export const gameAddress = (gameId: string, section = "") => `/games/${encodeURIComponent(gameId)}/${section}`
export const productAddress = (gameId: string, productId: unknown) =>
  gameAddress(gameId, `products/${String(productId)}`)
export const expansionAddress = (gameId: string, expansionId: unknown) =>
  gameAddress(gameId, `expansions/${String(expansionId)}`)
