import { Effect } from "effect"
import { PageUnread } from "../client/MarketplaceError.ts"
import { NotOurJson, ParserCrashed, type OpenFault } from "../client/OpenFault.ts"
import { PageRoom } from "../client/PageRoom.ts"
import type { PageCall } from "../client/pageCalls.ts"
import { unpackBody, type Answer, type OpenedPage, type Page } from "../client/RawBody.ts"
import { noSecret, scrubbedBody, type Secret } from "../client/scrubbedBody.ts"
import type { PageKind } from "../contract/records.ts"
import type { RoundTaker } from "../rows/PageTaker.ts"
import type { SentPage, TakenPage } from "../rows/takePage.ts"

/** A page that was taken apart, with its body as it is stored. */
export interface TakenBody<P> extends OpenedPage<P> {
  readonly bytes: Uint8Array
  /** The file that it comes from, if it was stored earlier and not requested now. */
  readonly file: string | undefined
  readonly taken: TakenPage
}

const takeWithRoom = Effect.fnUntraced(function* (
  { take }: RoundTaker,
  page: SentPage,
  { request, requestId }: Pick<Answer, "request" | "requestId">,
  secret: Secret
): Effect.fn.Return<{ readonly bytes: Uint8Array; readonly taken: TakenPage }, OpenFault> {
  const tried = (sent: SentPage) => Effect.mapError(take(sent), (cause) => new ParserCrashed(cause))
  let sent = page
  let taken = yield* tried(sent)
  if (taken._tag === "large") {
    yield* (yield* PageRoom).take
    sent = { ...sent, mayBeLarge: true }
    taken = yield* tried(sent)
  }
  if (taken._tag === "repeatsKey") {
    const { bytes, encoding } = sent
    const body = yield* scrubbedBody(secret, { request, requestId, bytes, ...(yield* unpackBody(bytes, encoding)) })
    sent = { ...sent, key: "", bytes: body.bytes, encoding: body.gzip ? "gzip" : undefined }
    taken = yield* tried(sent)
  }
  if (taken._tag === "taken") return { bytes: sent.bytes, taken }
  if (taken._tag === "foreign") return yield* Effect.fail(new NotOurJson(taken.what))
  return yield* Effect.fail(taken._tag === "broken" ? taken.what : "a body of more than 64 MB")
})

/** Opens pages of a list by having them taken apart; a large one waits for the room that it needs. */
export const openWith =
  (taker: RoundTaker, kind: PageKind, number: () => number = () => 0) =>
  <P>(answer: Answer, call: Pick<PageCall<P>, "expects" | "game">, secret: Secret) => {
    const { bytes, encoding, file, request, requestId } = answer
    const page: SentPage = {
      kind,
      gameId: call.game,
      number: number(),
      bytes,
      encoding,
      mayBeLarge: false,
      key: secret.key,
      expects: call.expects,
      isKnown: false,
      leftOut: []
    }
    return Effect.map(takeWithRoom(taker, page, answer, secret), ({ bytes: kept, taken }): TakenBody<P> => ({
      request,
      requestId,
      sentBytes: bytes.length,
      received: taken.received,
      // As the call expects it: this was checked when the page was taken apart.
      pagination: taken.pagination as P,
      bytes: kept,
      file,
      taken
    }))
  }

/** The page of the list of games, which a night requests once. */
export const takeGames = (taker: RoundTaker, gameId: string, games: Page<null>) =>
  Effect.mapError(
    openWith(taker, "games")<null>(
      { ...games, encoding: games.gzip ? "gzip" : undefined },
      { game: gameId, expects: 0 },
      noSecret
    ),
    (fault) =>
      new PageUnread({
        request: games.request,
        requestId: games.requestId,
        cause: typeof fault === "string" ? fault : fault instanceof NotOurJson ? fault.what : fault.cause
      })
  )
