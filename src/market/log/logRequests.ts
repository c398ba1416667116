import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import { HttpServerRequest, type HttpServerResponse } from "effect/http"
import { hash } from "node:crypto"
import { keptAnswer, keptText, type RequestLog } from "./RequestLog.ts"

type Request = HttpServerRequest.HttpServerRequest

/** What the sandbox has for people and for tests; its files are a client's. */
const isOwnPage = (path: string): boolean =>
  (/^\/sandbox(?:[/?]|$)/.test(path) && !path.startsWith("/sandbox/files/")) ||
  /^\/(?:docs(?:[/?].*)?|openapi\.json|favicon\.ico)?(?:\?|$)/.test(path)

/** Short keys would be known by their last letters. */
const endingOf = (key: string): string => (key.length < 12 ? "" : key.slice(-4))

const keyOf = ({ headers }: Request): string | null =>
  /^bearer\s+(\S+)/i.exec(headers["authorization"] ?? "")?.[1] ?? null

const withoutSecrets = (text: string, key: string | null): string => {
  const shown = text
    .replaceAll(/(?<=[?&](?:signature|token|key|api_key)=)[^&#]*/gi, "…")
    .replaceAll(/cl_sandbox_\w+?(?=\w{4}(?!\w))/g, "…")
  return key === null || key.length < 4 ? shown : shown.replaceAll(key, `…${endingOf(key)}`)
}

/** The answer was not sent: somebody cut the connection. */
const isCut = (request: Request): boolean => NodeHttpServerRequest.toServerResponse(request).destroyed

/** Notes the requests of clients and what was answered, as it goes over the wire. Bodies are noted if they are read. */
export const logRequests = (log: RequestLog["Service"], machineMillis: () => number) => {
  return <E, R>(app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (isOwnPage(request.url)) return app
      const key = keyOf(request)
      const began = machineMillis()
      const number = log.begin({
        method: request.method,
        path: withoutSecrets(request.url, key),
        keyHash: key === null ? null : hash("sha256", key),
        keyEnding: key === null ? null : endingOf(key)
      })
      const noted = (text: string) => log.note(number, { body: keptText(withoutSecrets(text, key)) })
      const read: Request = Object.create(request, {
        text: { get: () => Effect.tap(request.text, (text) => Effect.sync(() => noted(text))) }
      })
      return Effect.provideService(app, HttpServerRequest.HttpServerRequest, read).pipe(
        Effect.tap((answer) =>
          Effect.sync(() =>
            log.note(number, {
              millis: machineMillis() - began,
              ...(isCut(request)
                ? {}
                : {
                    status: answer.status,
                    requestId: answer.headers["x-request-id"] ?? null,
                    answer: keptAnswer(answer)
                  })
            })
          )
        )
      )
    })
}
