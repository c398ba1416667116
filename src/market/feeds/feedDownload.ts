import { Effect } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { FeedType } from "../../feed/contract/FeedFile.ts"
import { findGame } from "../catalogue/findLive.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { Feeds } from "./Feeds.ts"

/** Where a feed file is, outside `/v1`. */
export const feedPath = (gameId: string, type: FeedType): string =>
  `/files/feeds/${encodeURIComponent(gameId)}/${type}.ndjson.gz`

const refused = (status: number, code: string, message: string) =>
  HttpServerResponse.text(
    `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${message}</Message></Error>`,
    { status, contentType: "application/xml" }
  )

const noSuchFile = refused(404, "NoSuchKey", "The specified key does not exist.")

/**
 * Gives a feed file to anyone with a signed link that has not expired, as object storage does: without a key or rate
 * limit, with errors in XML. A key beside the signature is refused. Beyond the spec: section 8.
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
