import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { type Answer, type Incoming, requestWith, readText, withText } from "../answers/wire.ts"
import { renameKeys } from "./renameKeys.ts"
import { type CurrentDialect, type Swap, type Wording, Words } from "./Wording.ts"

type RequestWords = NonNullable<Wording["words"]>

const search = "/v1/products/search"
const history = /^\/v1\/products\/[^/]+\/prices\/history$/

const withBody = (request: Incoming, change: (text: string) => string) =>
  Effect.match(request.text, {
    // The handler refuses an invalid body.
    onFailure: () => request,
    onSuccess: (text) => requestWith(request, { text: Effect.succeed(change(text)) })
  })

/** Replaces the value of each `marketplace` key in a JSON text. */
const swapSources = (text: string, sources: Swap): string =>
  text.replace(
    /("marketplace"\s*:\s*")(\w+)(?=")/g,
    (_, start: string, word: string) => start + (sources.get(word) ?? word)
  )

/** Translates a request to the spec's words and ignores a search's query. The spec's own words become unknown ones. */
const translateRequest = (request: Incoming, { filters, sources }: RequestWords): Effect.Effect<Incoming> => {
  const { pathname, searchParams } = new URL(request.url, "http://sandbox")
  if (request.method === "POST" && pathname === search) {
    const renamed = (text: string) => renameKeys(Buffer.from(text), { names: filters }).toString()
    return withBody(requestWith(request, { url: pathname }), renamed)
  }
  if (request.method === "POST" && pathname === "/v1/products/resolve") {
    return withBody(request, (text) => swapSources(text, sources))
  }
  const source = history.test(pathname) ? searchParams.get("marketplace") : null
  if (source === null) return Effect.succeed(request)
  searchParams.set("marketplace", sources.get(source) ?? source)
  return Effect.succeed(requestWith(request, { url: `${pathname}?${searchParams}` }))
}

const swapWords = (text: string, words: Swap): string => text.replace(/\w+/g, (word) => words.get(word) ?? word)

/** The error code in the spec's words. */
const managedBy = '"code":"SHIPPING_MANAGED_BY_MARKETPLACE"'

const missing = /"code":"(?:GAME|PRODUCT|EXPANSION)_NOT_FOUND"/

/** Translates an answer to the dialect's words. An unknown id becomes a 500. Beyond the spec: section 2. */
const translateAnswer = (
  answer: Answer,
  path: string,
  { words: { filters, sources }, service }: Wording & { readonly words: RequestWords }
): Answer => {
  if (answer.status === 409 && path.endsWith("/mark-shipped")) {
    return withText(answer, readText(answer).replace(managedBy, `"code":"SHIPPING_MANAGED_BY_${service}"`))
  }
  if (answer.status === 404 || answer.status === 400) {
    const text = readText(answer)
    if (missing.test(text)) {
      return HttpServerResponse.setStatus(withText(answer, text.replace(/"status":40[04]/, '"status":500')), 500)
    }
  }
  if (answer.status === 400 && path.startsWith("/v1/products/")) {
    return withText(answer, swapWords(readText(answer), path === search ? filters : sources))
  }
  return answer.status === 200 && history.test(path) ? withText(answer, swapSources(readText(answer), sources)) : answer
}

/**
 * Translates requests to the spec's words and answers to the dialect at the time of the request. Handlers translate
 * stored texts themselves.
 */
export const dialectDoor =
  (spoken: CurrentDialect) =>
  <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.gen(function* () {
      const { wording } = spoken
      const { words } = wording
      if (words === null) return yield* app
      const request = yield* HttpServerRequest.HttpServerRequest
      yield* Words.set(wording)
      if (!request.url.startsWith("/v1/")) return yield* app
      const inSpec = yield* translateRequest(request, words)
      const answer = yield* Effect.provideService(app, HttpServerRequest.HttpServerRequest, inSpec)
      return translateAnswer(answer, new URL(request.url, "http://sandbox").pathname, { ...wording, words })
    })
