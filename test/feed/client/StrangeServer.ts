import { ConfigProvider, Context, Effect, Layer } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { Marketplace } from "../../../src/feed/client/Marketplace.ts"
import { RetryPolicy } from "../../../src/feed/client/RetryPolicy.ts"

export const strangeKey = "sk_test_0123456789abcdef"

/** A request that a test answers. `count` is how many came before it, to any path. */
export interface Asked {
  readonly path: string
  readonly query: URLSearchParams
  readonly body: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly count: number
}

/** A real HTTP server that answers as a test says. `asked` are the requests it got. */
export class StrangeServer extends Context.Service<StrangeServer, { readonly asked: ReadonlyArray<Asked> }>()(
  "test/feed/client/StrangeServer"
) {}

/** Milliseconds where a night takes seconds. */
export const quickPolicy: RetryPolicy = {
  timeoutMillis: 200,
  times: 4,
  baseMillis: 1,
  maxBackoffMillis: 4,
  maxRequiredWaitMillis: 60_000,
  maxRateWaitMillis: 200,
  rateTimes: 10,
  minuteMillis: 60
}

type Answer = (asked: Asked, response: ServerResponse) => void

/** A server that answers as a test says, until the scope closes. */
export const listen = Effect.fnUntraced(function* (answer: Answer) {
  const asked: Array<Asked> = []
  const http = createServer((request, response) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://localhost")
      const body = Buffer.concat(chunks).toString()
      const one = { path: url.pathname, query: url.searchParams, body, headers: request.headers, count: asked.length }
      asked.push(one)
      answer(one, response)
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      http.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        http.close()
        http.closeAllConnections()
      })
  )
  const address = http.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return { asked, settings: { CARDLAKE_URL: `http://127.0.0.1:${port}`, CARDLAKE_API_KEY: strangeKey } }
})

/** Client and server for one test. Every effect gets a server of its own. */
export const against = (answer: Answer, policy: Partial<RetryPolicy> = {}) => {
  const server = Layer.effectContext(
    Effect.map(listen(answer), ({ asked, settings }) =>
      Context.make(StrangeServer, { asked }).pipe(
        Context.add(ConfigProvider.ConfigProvider, ConfigProvider.fromUnknown(settings))
      )
    )
  )
  return Effect.provide(
    Marketplace.layer.pipe(
      Layer.provideMerge(server),
      Layer.provideMerge(Layer.succeed(RetryPolicy, { ...quickPolicy, ...policy }))
    )
  )
}

/** Sends JSON, gzipped as the marketplace does. */
export const sendJson = (
  response: ServerResponse,
  json: unknown,
  status = 200,
  headers: Record<string, string> = {}
) => {
  const body = gzipSync(JSON.stringify(json))
  response.writeHead(status, { "content-type": "application/json", "content-encoding": "gzip", ...headers }).end(body)
}

/** Sends the error envelope. Beyond the spec: section 2. */
export const sendError = (
  response: ServerResponse,
  status: number,
  code: string,
  data: unknown = {},
  headers: Record<string, string> = {}
) => sendJson(response, { code, status, message: `because of ${code}`, data }, status, headers)
