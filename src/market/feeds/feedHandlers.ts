import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { type FeedFile, FeedType } from "../../feed/contract/FeedFile.ts"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { requestOrigin } from "../answers/wire.ts"
import { findGame } from "../catalogue/LiveCatalogue.ts"
import type { LiveGame } from "../catalogue/LiveGame.ts"
import { MarketClock, textOfMillis } from "../state/MarketClock.ts"
import { Feeds } from "./Feeds.ts"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { UnknownGame } from "../../feed/contract/Errors.ts"
import { changelogPage } from "../catalogue/changelogPage.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"

/** Returns the path of a feed file, outside `/v1`. */
const feedPath = (gameId: string, type: FeedType): string =>
  `/files/feeds/${encodeURIComponent(gameId)}/${type}.ndjson.gz`

const refused = (status: number, code: string, message: string) =>
  HttpServerResponse.text(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    { status, contentType: "application/xml" }
  )

const noSuchFile = refused(404, "NoSuchKey", "The specified key does not exist.")

/**
 * Serves a feed file for an unexpired signed link, like object storage: without key or rate limit, with errors in XML.
 * A key beside the signature is refused. Beyond the spec: section 8.
 */
export const feedDownload = HttpRouter.add(
  "GET",
  "/files/feeds/:gameId/:file",
  Effect.fnUntraced(function* (request) {
    if (request.headers["authorization"] !== undefined) {
      return refused(400, "InvalidArgument", "Only one auth mechanism allowed")
    }
    const { build, links } = yield* Feeds
    const { now } = yield* MarketClock
    const { pathname, searchParams } = new URL(request.url, "http://sandbox")
    const fault = links.faultOf(pathname, searchParams, now())
    if (fault === "expired") return refused(403, "AccessDenied", "Request has expired")
    if (fault === "forged") return refused(403, "SignatureDoesNotMatch", "The signature does not match the request")
    const { file = "", gameId = "" } = yield* HttpRouter.params
    const type = FeedType.literals.find((each) => feedPath(gameId, each).endsWith(`/${file}`))
    if (type === undefined) return noSuchFile
    const version = /^\d{1,15}$/.exec(searchParams.get("version") ?? "")?.[0]
    return yield* findGame(gameId).pipe(
      Effect.flatMap((game) => build(game, type, version === undefined ? undefined : Number(version))),
      Effect.match({
        onFailure: () => noSuchFile,
        onSuccess: ({ packed }) => HttpServerResponse.uint8Array(packed.bytes, { contentType: "application/gzip" })
      })
    )
  })
)

const describe = Effect.fnUntraced(function* (game: LiveGame, feedType: FeedType) {
  const { build, links, settings } = yield* Feeds
  const { now } = yield* MarketClock
  const origin = yield* requestOrigin
  const { generatedAt, lastRefreshedAt, packed, version } = yield* build(game, feedType)
  const expiresAt = now() + settings.linkSeconds * 1000
  const link = links.sign(feedPath(game.stored.game.id, feedType), expiresAt)
  return {
    feedType,
    // Sales and price changes may occur between this answer and the download.
    url: origin + link + (feedType === "prices" ? `&version=${version}` : ""),
    urlExpiresAt: textOfMillis(expiresAt),
    checksum: packed.checksum,
    sizeBytes: packed.bytes.byteLength,
    recordCount: packed.recordCount,
    format: "ndjson",
    encoding: "gzip",
    lastRefreshedAt,
    generatedAt
  } satisfies FeedFile
})

const describeOne = (gameId: string, type: FeedType) => Effect.flatMap(findGame(gameId), (game) => describe(game, type))

/** Handlers of a game's three feed files and their links. Beyond the spec: section 8. */
export const feedFileHandlers = HttpApiBuilder.group(MarketplaceApi, "feedFiles", (handlers) =>
  handlers
    .handle(
      "feedFiles",
      Effect.fnUntraced(function* ({ params }) {
        const game = yield* findGame(params.gameId)
        const orNull = (type: FeedType) => Effect.orElseSucceed(describe(game, type), () => null)
        return {
          catalog: yield* orNull("catalog"),
          expansions: yield* orNull("expansions"),
          prices: yield* orNull("prices")
        }
      })
    )
    .handle("catalogFeed", ({ params }) => describeOne(params.gameId, "catalog"))
    .handle("expansionsFeed", ({ params }) => describeOne(params.gameId, "expansions"))
    .handle("pricesFeed", ({ params }) => describeOne(params.gameId, "prices"))
)

/** Handlers of the feed changelog. Spec: GET /v1/feeds/{gameId}/changelog. */
export const feedsHandlers = HttpApiBuilder.group(MarketplaceApi, "feeds", (handlers) =>
  handlers.handle(
    "changelog",
    Effect.fnUntraced(function* ({ request, params, query }) {
      const { gameId } = params
      const game = yield* Effect.mapError(
        findGame(gameId),
        ({ message }) => new UnknownGame({ message, data: { gameId } })
      )
      return yield* jsonAnswer(request, yield* changelogPage(game, query))
    })
  )
)
