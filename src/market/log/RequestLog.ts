import { Context, Effect, Schema } from "effect"
import { Count } from "../../feed/contract/Catalogue.ts"
import { type HttpServerResponse, HttpServerRequest } from "effect/http"
import { constants, gunzipSync } from "node:zlib"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { hash } from "node:crypto"

/** The beginning of a body as it was on the wire. */
interface LoggedBody {
  readonly bytes: Uint8Array
  /** How long all of it was; null: it was sent piece by piece. */
  readonly length: number | null
  readonly isPacked: boolean
}

/** What of a body can be read. */
export const ShownBody = Schema.Struct({
  text: Schema.String,
  bytes: Schema.NullOr(Count),
  isCut: Schema.Boolean
}).annotate({
  title: "LoggedBody",
  description: "`text` is the beginning, unpacked; `bytes` all that was on the wire, null if it came in pieces."
})
export type ShownBody = typeof ShownBody.Type

/** Bytes that are kept of a body. */
const maxBodyBytes = 16 * 1024

/** Bytes that are shown of a body; packed ones grow. */
const maxShownBytes = 64 * 1024

/** A copy: a part of a page would keep all of it in memory. */
const kept = (bytes: Uint8Array, isPacked: boolean): LoggedBody => ({
  bytes: new Uint8Array(bytes.subarray(0, maxBodyBytes)),
  length: bytes.byteLength,
  isPacked
})

export const keptText = (text: string): LoggedBody => kept(Buffer.from(text), false)

export const keptAnswer = ({ body, headers }: HttpServerResponse.HttpServerResponse): LoggedBody | null => {
  if (body._tag === "Empty") return null
  return body._tag === "Uint8Array"
    ? kept(body.body, headers["content-encoding"] === "gzip")
    : { bytes: new Uint8Array(), length: null, isPacked: false }
}

/** As much as the beginning of a packed body gives; one that is no gzip, as on request, gives nothing. */
const unpacked = (bytes: Uint8Array): Uint8Array => {
  try {
    return gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH })
  } catch {
    return new Uint8Array()
  }
}

export const shownBody = ({ bytes, isPacked, length }: LoggedBody): ShownBody => {
  const plain = isPacked ? unpacked(bytes) : bytes
  return {
    text: Buffer.from(plain.subarray(0, maxShownBytes)).toString("utf8"),
    bytes: length,
    isCut: length === null || length > bytes.byteLength || plain.byteLength > maxShownBytes
  }
}

/** A request of a client. */
export interface LoggedRequest {
  /** Counts up from 1. */
  readonly number: number
  /** The marketplace's time, in milliseconds. */
  readonly atMillis: number
  readonly method: string
  /** With its query, in which no signature and no key is. */
  readonly path: string
  /** SHA-256 of its key, to look up whose it is; null: it came without one. */
  readonly keyHash: string | null
  /** The last letters of a key. */
  readonly keyEnding: string | null
  /** `X-Request-Id` of its answer. */
  readonly requestId: string | null
  /** Null: there is no answer yet, or the connection was cut. */
  readonly status: number | null
  /** How long the answer took; null: there is none yet. */
  readonly millis: number | null
  /** What was read of its body; null: nothing. */
  readonly body: LoggedBody | null
  readonly answer: LoggedBody | null
}

/** The newest requests of clients, in memory. Those of the control routes and of the sandbox's pages are not among them. */
export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly begin: (request: Pick<LoggedRequest, "method" | "path" | "keyHash" | "keyEnding">) => number
    /** What is known later; of a request that was dropped meanwhile, nothing is kept. */
    readonly note: (number: number, known: Partial<Omit<LoggedRequest, "number">>) => void
    /** Newest first. */
    readonly list: () => ReadonlyArray<LoggedRequest>
    readonly find: (number: number) => LoggedRequest | undefined
  }
>()("cardlake/sandbox/RequestLog") {}

interface LogSize {
  readonly maxRequests?: number
  /** Of all bodies together. */
  readonly maxBytes?: number
}

const bytesOf = ({ answer, body }: LoggedRequest): number =>
  (answer?.bytes.byteLength ?? 0) + (body?.bytes.byteLength ?? 0)

/** Beyond its size it drops the oldest. */
export const makeRequestLog = (
  now: () => number,
  { maxBytes = 8 * 1024 * 1024, maxRequests = 1000 }: LogSize = {}
): RequestLog["Service"] => {
  const kept = new Map<number, LoggedRequest>()
  let last = 0
  let bytes = 0
  const trim = () => {
    for (const [number, oldest] of kept) {
      if (kept.size <= maxRequests && bytes <= maxBytes) return
      kept.delete(number)
      bytes -= bytesOf(oldest)
    }
  }
  return {
    begin: (request) => {
      const number = ++last
      const unknown = { requestId: null, status: null, millis: null, body: null, answer: null }
      kept.set(number, { ...request, ...unknown, number, atMillis: now() })
      trim()
      return number
    },
    note: (number, known) => {
      const before = kept.get(number)
      if (before === undefined) return
      const after = { ...before, ...known }
      kept.set(number, after)
      bytes += bytesOf(after) - bytesOf(before)
      trim()
    },
    list: () => [...kept.values()].toReversed(),
    find: (number) => kept.get(number)
  }
}

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
