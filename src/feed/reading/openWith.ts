import { Effect } from "effect"
import { PageUnread } from "../client/MarketplaceError.ts"
import type { OpenFault } from "../client/OpenFault.ts"
import { takeLargePageLock, tooLarge, unpackBody, type Answer, type OpenedPage, type Page } from "../client/RawBody.ts"
import type { PageCall } from "../client/pageCalls.ts"
import { noSecret, scrubbedBody, type Secret } from "../client/scrub.ts"
import type { PageKind } from "../contract/records.ts"
import type { PageRound } from "../rows/shredRound.ts"
import type { SentPage, ParsedPage } from "../rows/parsePage.ts"
import type { ReadingWords } from "./readingWords.ts"

export interface ParsedBody<P> extends OpenedPage<P> {
  readonly bytes: Uint8Array
  /** The file of a page that was stored earlier; absent if it was requested now. */
  readonly file: string | undefined
  readonly parsed: ParsedPage
  /** True if the page was not opened because it equals a published page. Its ids and dialect are then missing. */
  readonly isLeft?: boolean
}

const parseWithLock = Effect.fnUntraced(function* (
  { parse }: PageRound,
  page: SentPage,
  { request, requestId }: Pick<Answer, "request" | "requestId">,
  secret: Secret
): Effect.fn.Return<{ readonly bytes: Uint8Array; readonly parsed: ParsedPage }, OpenFault> {
  const tried = (sent: SentPage) => Effect.mapError(parse(sent), (cause): OpenFault => ({ _tag: "crashed", cause }))
  let sent = page
  let parsed = yield* tried(sent)
  if (parsed._tag === "large") {
    yield* takeLargePageLock
    sent = { ...sent, mayBeLarge: true }
    parsed = yield* tried(sent)
  }
  if (parsed._tag === "repeatsKey") {
    const { bytes, encoding } = sent
    const body = yield* scrubbedBody(secret, { request, requestId, bytes, ...(yield* unpackBody(bytes, encoding)) })
    sent = { ...sent, key: "", bytes: body.bytes, encoding: body.gzip ? "gzip" : undefined }
    parsed = yield* tried(sent)
  }
  if (parsed._tag === "parsed") return { bytes: sent.bytes, parsed }
  if (parsed._tag === "foreign") return yield* Effect.fail(parsed)
  return yield* Effect.fail(parsed._tag === "broken" ? parsed.what : tooLarge)
})

export interface Parsing {
  readonly round: PageRound
  readonly words: ReadingWords
}

/** Returns a function that opens pages by parsing them. A large page waits for its lock. */
export const openWith =
  ({ round, words }: Parsing, kind: PageKind, number: () => number = () => 0) =>
  <P>(answer: Answer, call: Pick<PageCall<P>, "expects" | "game">, secret: Secret) => {
    const { bytes, encoding, file, request, requestId } = answer
    const page: SentPage = {
      kind,
      gameId: call.game,
      dialect: words.parsedIn(kind),
      number: number(),
      bytes,
      encoding,
      mayBeLarge: false,
      key: secret.key,
      expects: call.expects,
      leftOut: []
    }
    return Effect.map(parseWithLock(round, page, answer, secret), ({ bytes: kept, parsed }): ParsedBody<P> => ({
      request,
      requestId,
      sentBytes: bytes.length,
      received: parsed.received,
      // The parser has checked that the pagination is of this type.
      pagination: parsed.pagination as P,
      bytes: kept,
      file,
      parsed
    }))
  }

/** Parses the page of the list of games, which a night requests once. */
export const parseGames = (parsing: Parsing, gameId: string, games: Page<null>) =>
  Effect.mapError(
    openWith(parsing, "games")<null>(
      { ...games, encoding: games.gzip ? "gzip" : undefined },
      { game: gameId, expects: 0 },
      noSecret
    ),
    (fault) =>
      new PageUnread({
        request: games.request,
        requestId: games.requestId,
        cause: typeof fault === "string" ? fault : fault._tag === "foreign" ? fault.what : fault.cause
      })
  )
