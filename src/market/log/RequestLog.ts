import type { Answer, Incoming } from "../answers/wire.ts"
import { Context, Effect, Schema } from "effect"
import { Count } from "../../feed/contract/Catalogue.ts"
import { HttpServerRequest } from "effect/http"
import { constants, gunzipSync } from "node:zlib"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { hash } from "node:crypto"

/** The first bytes of a body as sent. */
interface LoggedBody {
  readonly bytes: Uint8Array
  /** The content length; null if the body was chunked. */
  readonly length: number | null
  readonly isPacked: boolean
}

/** The readable part of a body. */
export const ShownBody = Schema.Struct({
  text: Schema.String,
  bytes: Schema.NullOr(Count),
  isCut: Schema.Boolean
}).annotate({
  title: "LoggedBody",
  description: "`text` is the beginning, unpacked; `bytes` all that was on the wire, null if it came in pieces."
})
export type ShownBody = typeof ShownBody.Type

/** Maximum bytes stored per body. */
const maxBodyBytes = 16 * 1024

/** Maximum bytes shown per body, after decompression. */
const maxShownBytes = 64 * 1024

/** Copies the bytes, because a slice of a page would retain the complete page. */
const kept = (bytes: Uint8Array, isPacked: boolean): LoggedBody => ({
  bytes: new Uint8Array(bytes.subarray(0, maxBodyBytes)),
  length: bytes.byteLength,
  isPacked
})

export const keptText = (text: string): LoggedBody => kept(Buffer.from(text), false)

export const keptAnswer = ({ body, headers }: Answer): LoggedBody | null => {
  if (body._tag === "Empty") return null
  return body._tag === "Uint8Array"
    ? kept(body.body, headers["content-encoding"] === "gzip")
    : { bytes: new Uint8Array(), length: null, isPacked: false }
}

/** Decompresses as much as the prefix allows; empty if it is not gzip, as a fault may request. */
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
    text: withoutSecrets(Buffer.from(plain.subarray(0, maxShownBytes)).toString("utf8"), null),
    bytes: length,
    isCut: length === null || length > bytes.byteLength || plain.byteLength > maxShownBytes
  }
}

export interface LoggedRequest {
  /** Number of the request, from 1. */
  readonly number: number
  /** Instant on the marketplace's clock, in milliseconds. */
  readonly atMillis: number
  readonly method: string
  /** Path and query, without signatures and keys. */
  readonly path: string
  /** SHA-256 of the key, to look up its account; null if there was no key. */
  readonly keyHash: string | null
  /** The last letters of the key. */
  readonly keyEnding: string | null
  /** `X-Incoming-Id` of the answer. */
  readonly requestId: string | null
  /** Status; null while there is no answer, or if the connection was cut. */
  readonly status: number | null
  /** Duration of the answer; null while there is none. */
  readonly millis: number | null
  /** The part of the body that was read; null if nothing was. */
  readonly body: LoggedBody | null
  readonly answer: LoggedBody | null
}

/** The latest client requests, in memory. Control routes and the sandbox's pages are excluded. */
export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly begin: (request: Pick<LoggedRequest, "method" | "path" | "keyHash" | "keyEnding">) => number
    /** Adds values to a request. Does nothing if it was evicted. */
    readonly note: (number: number, known: Partial<Omit<LoggedRequest, "number">>) => void
    /** Requests, newest first. */
    readonly list: () => ReadonlyArray<LoggedRequest>
    readonly find: (number: number) => LoggedRequest | undefined
  }
>()("cardlake/sandbox/RequestLog") {}

interface LogSize {
  readonly maxRequests?: number
  /** Maximum bytes of all bodies together. */
  readonly maxBytes?: number
}

const countBytes = ({ answer, body }: LoggedRequest): number =>
  (answer?.bytes.byteLength ?? 0) + (body?.bytes.byteLength ?? 0)

/** Creates a log that evicts the oldest requests beyond its size. */
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
      bytes -= countBytes(oldest)
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
      bytes += countBytes(after) - countBytes(before)
      trim()
    },
    list: () => [...kept.values()].toReversed(),
    find: (number) => kept.get(number)
  }
}

/** True for the sandbox's own pages and control routes. Its files count as client requests. */
const isOwnPage = (path: string): boolean =>
  (/^\/sandbox(?:[/?]|$)/.test(path) && !path.startsWith("/sandbox/files/")) ||
  /^\/(?:docs(?:[/?].*)?|openapi\.json|favicon\.ico)?(?:\?|$)/.test(path)

/** Returns the last letters of a key; empty for a short key, which they would reveal. */
const lastCharacters = (key: string): string => (key.length < 12 ? "" : key.slice(-4))

const readKey = ({ headers }: Incoming): string | null =>
  /^bearer\s+(\S+)/i.exec(headers["authorization"] ?? "")?.[1] ?? null

const withoutSecrets = (text: string, key: string | null): string => {
  const shown = text
    .replaceAll(/(?<=[?&](?:signature|token|key|api_key)=)[^&#"\s]*/gi, "…")
    .replaceAll(/cl_sandbox_\w+?(?=\w{4}(?!\w))/g, "…")
  return key === null || key.length < 4 ? shown : shown.replaceAll(key, `…${lastCharacters(key)}`)
}

/** True if the connection was cut before the answer was sent. */
const isCut = (request: Incoming): boolean => NodeHttpServerRequest.toServerResponse(request).destroyed

/** Logs client requests and answers as sent. A body is logged only if it is read. */
export const logRequests = (log: RequestLog["Service"], machineMillis: () => number) => {
  return <E, R>(app: Effect.Effect<Answer, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
      if (isOwnPage(request.url)) return app
      const key = readKey(request)
      const began = machineMillis()
      const number = log.begin({
        method: request.method,
        path: withoutSecrets(request.url, key),
        keyHash: key === null ? null : hash("sha256", key),
        keyEnding: key === null ? null : lastCharacters(key)
      })
      const noted = (text: string) => log.note(number, { body: keptText(withoutSecrets(text, key)) })
      const read: Incoming = Object.create(request, {
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
