import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Capture } from "../feed/contract/Capture.ts"
import { FeedType } from "../feed/contract/FeedFile.ts"
import { newSecret } from "./accounts/accounts.ts"
import { guardHost } from "./answers/answerRules.ts"
import { capturedAnswers, inventedAccount, noKey, capturedFeeds, captureSignature } from "./captured/capturedAnswers.ts"
import { listenHere } from "./listenHere.ts"

interface CaptureOptions {
  readonly capture: Capture
  /** Port to listen on. 0, the default, picks a free one. */
  readonly port?: number
  /** The key to accept. Default: a generated one. */
  readonly key?: string
  readonly allowedHosts?: ReadonlyArray<string>
}

const capturedPath = (type: FeedType): string => `/files/captured/${type}.ndjson.gz`

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

/** Returns one sentence each about what is and is not served from the capture. */
const describeCapture = (
  capture: Capture,
  answers: ReturnType<typeof capturedAnswers>,
  feeds: ReturnType<typeof capturedFeeds>
) => {
  const { capturedAt, cardlakeVersion, game } = capture
  const lists = (["products", "expansions", "changelog"] as const).flatMap((part) => {
    const page = answers.of(part).find(({ status }) => status === 200)
    const cut = page === undefined ? null : answers.cut(page)
    if (cut === null) return []
    const claimed = cut.claimed === null ? "" : ` of the ${cut.claimed} that it states; totals are cut to them`
    return [`${part}: ${cut.records}${claimed}`]
  })
  const files = [...feeds.files].map(([type, { lines }]) => `${type}: the first ${counted(lines, "line")}`)
  const missing = capture.answers.flatMap(({ fault, part, status }) => {
    if (status === 200 || part === "error") return []
    return [`${part}: ${status === null ? `no answer (${fault ?? ""})` : `${status}, as it was answered`}`]
  })
  return [
    `A capture of ${game ?? "no game"}, made ${capturedAt.slice(0, 10)} by Cardlake ${cardlakeVersion}`,
    ...lists,
    ...(files.length === 0 ? [] : [`feeds: ${files.join("; ")}. Their sums and sizes are of these lines`]),
    ...missing,
    "Anything else is 404 NOT_CAPTURED; the account is invented"
  ]
}

/** Serves a capture on 127.0.0.1 until the scope closes. A reader can thus be tried without the real service. */
export const serveCapture = Effect.fnUntraced(function* (options: CaptureOptions) {
  const { allowedHosts = [], capture, key = newSecret(), port = 0 } = options
  const feeds = capturedFeeds(capture)
  let answered = 0

  const app = Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { pathname, search } = new URL(request.url, "http://sandbox")
    const authorization = request.headers["authorization"]
    const type = FeedType.literals.find((each) => capturedPath(each) === pathname)
    if (type !== undefined) {
      const file = feeds.files.get(type)
      if (authorization !== undefined)
        return HttpServerResponse.text("Only one auth mechanism allowed", { status: 400 })
      if (file === undefined || search !== `?${captureSignature}`) return HttpServerResponse.text("", { status: 403 })
      return HttpServerResponse.uint8Array(file.bytes, { contentType: "application/gzip" })
    }
    const origin = `http://${request.headers["host"] ?? "127.0.0.1"}`
    const linkTo = (each: FeedType) => `${origin}${capturedPath(each)}?${captureSignature}`
    const { answerTo } = capturedAnswers(capture, (answer) => feeds.aboutFeeds(answer, linkTo))
    const body = request.method === "POST" ? yield* Effect.orElseSucceed(request.text, () => "") : ""
    const answer = () => {
      if (authorization !== `Bearer ${key}`) return noKey
      if (pathname === "/v1/account/me") return inventedAccount
      return answerTo({ method: request.method, url: request.url, body })
    }
    const { body: text, headers, status } = answer()
    const limit = headers["x-ratelimit-limit"]
    return HttpServerResponse.setHeaders(
      HttpServerResponse.text(text, { status, contentType: headers["content-type"] ?? "application/json" }),
      {
        ...Object.fromEntries(Object.entries(headers).filter(([name]) => name !== "content-type")),
        "x-request-id": `captured_${++answered}`,
        // The captured remaining count does not apply to this request.
        ...(limit === undefined ? {} : { "x-ratelimit-remaining": limit })
      }
    )
  })
  const origin = yield* listenHere(guardHost(allowedHosts, (refused) => refused)(app), port)
  const description = describeCapture(
    capture,
    capturedAnswers(capture, ({ body }) => body),
    feeds
  )
  return { url: origin, key, description }
})
