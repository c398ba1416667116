import { Clock, Context, Effect, Layer, Redacted } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { requiredWaitMillis } from "./limiter/RateLimit.ts"
import { withoutQuery, keySetting, urlSetting } from "./Marketplace.ts"
import { maxBodyBytes, unpackBody, withLargePageLock } from "./RawBody.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { makeScrub } from "./scrub.ts"
import { failureCode, webClient } from "./webClient.ts"

/** An answer of any status, unchanged except for the key. */
export interface ProbedAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly text: string
}

/**
 * Sends single requests to the marketplace and returns the raw answers without interpreting them. A request that meets
 * a limit waits once, up to a minute. Reads `CARDLAKE_URL` and `CARDLAKE_API_KEY`.
 */
export class ServiceProbe extends Context.Service<
  ServiceProbe,
  {
    readonly url: string
    /** Sends a request in the format of ledgers: method, path with query, and the JSON of a body. Fails with a text. */
    readonly ask: (request: string) => Effect.Effect<ProbedAnswer, string>
  }
>()("cardlake/client/ServiceProbe") {
  static readonly layer = Layer.effect(
    ServiceProbe,
    Effect.gen(function* () {
      const url = withoutQuery(yield* urlSetting)
      const key = yield* keySetting
      const scrub = makeScrub(Redacted.value(key))
      const client = yield* HttpClient.HttpClient

      const once = Effect.fnUntraced(function* (request: string): Effect.fn.Return<ProbedAnswer, string> {
        const { timeoutMillis } = yield* RetryPolicy
        const [, method, path = "", body] = /^(GET|POST) (\S+)(?: (.+))?$/s.exec(request) ?? []
        const base = method === "POST" ? HttpClientRequest.post(url + path) : HttpClientRequest.get(url + path)
        const sent = base.pipe(
          HttpClientRequest.bearerToken(key),
          HttpClientRequest.setHeaders({ "accept-encoding": "gzip", accept: "application/json" }),
          body === undefined ? (same) => same : HttpClientRequest.bodyText(body, "application/json")
        )
        const { answer, buffer } = yield* client.execute(sent).pipe(
          Effect.flatMap((answer) => Effect.map(answer.arrayBuffer, (buffer) => ({ answer, buffer }))),
          Effect.mapError(({ reason }) => failureCode(reason.cause)),
          Effect.timeoutOrElse({
            duration: timeoutMillis,
            orElse: () => Effect.fail(`no whole answer within ${timeoutMillis / 1000} s`)
          })
        )
        const bytes = new Uint8Array(buffer)
        const text = bytes.length === 0 ? "" : (yield* unpackBody(bytes, answer.headers["content-encoding"])).text
        const headers = Object.entries(answer.headers).map(([name, value]) => [name, scrub(String(value))] as const)
        return { status: answer.status, headers: Object.fromEntries(headers), text: scrub(text) }
      }, withLargePageLock)

      const ask = Effect.fnUntraced(
        function* (request: string): Effect.fn.Return<ProbedAnswer, string> {
          const first = yield* once(request)
          const { maxRequiredWaitMillis } = yield* RetryPolicy
          const wait = first.status === 429 ? requiredWaitMillis(first.headers, yield* Clock.currentTimeMillis) : null
          if (wait === null || wait > maxRequiredWaitMillis) return first
          yield* Effect.sleep(wait)
          return yield* once(request)
        },
        // Spans would contain the complete address and its headers, so there are none.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.mapError(scrub)
      )
      return { url, ask }
    })
  ).pipe(Layer.provide(webClient(maxBodyBytes)))
}
