import type { Incoming } from "./wire.ts"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import type { ByteCache } from "./caches.ts"

const pack = promisify(gzip)

/** Compression saves nothing below this size. */
const minBytes = 1024

/** True if the client lists gzip (or `*`) in `Accept-Encoding` without `q=0`. */
const acceptsGzip = (request: Incoming): boolean =>
  /(^|[\s,])(gzip|\*)(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(request.headers["accept-encoding"] ?? "")

const plain = { vary: "accept-encoding" }
const packed = { ...plain, "content-encoding": "gzip" }

/** Returns a 200 with this JSON text, compressed if the client accepts it. */
export const jsonAnswer = Effect.fnUntraced(function* (request: Incoming, body: string | Uint8Array) {
  const bytes = typeof body === "string" ? Buffer.from(body) : body
  return acceptsGzip(request) && bytes.byteLength >= minBytes
    ? HttpServerResponse.uint8Array(yield* Effect.promise(() => pack(bytes, { level: 1 })), {
        contentType: "application/json",
        headers: packed
      })
    : HttpServerResponse.uint8Array(bytes, { contentType: "application/json", headers: plain })
})

/** A finished body; `isCurrent` is true while a new one would be equal. */
interface FinishedBody {
  readonly bytes: Uint8Array
  readonly isCurrent: () => boolean
}

/** The `isCurrent` of each cached body. */
const currency = new WeakMap<Uint8Array, FinishedBody["isCurrent"]>()

/** As {@link jsonAnswer}, with the finished body cached under `key`. */
export const keptJsonAnswer = Effect.fnUntraced(function* <E>(
  request: Incoming,
  pages: ByteCache,
  { key, make }: { readonly key: string; readonly make: Effect.Effect<FinishedBody, E> }
) {
  const gzipped = acceptsGzip(request)
  const place = `${gzipped ? "gzip" : "plain"} ${key}`
  let body = pages.get(place)
  if (body === undefined || currency.get(body)?.() !== true) {
    const { bytes, isCurrent } = yield* make
    body = gzipped ? yield* Effect.promise(() => pack(bytes, { level: 1 })) : bytes
    currency.set(body, isCurrent)
    pages.set(place, body)
  }
  return HttpServerResponse.uint8Array(body, { contentType: "application/json", headers: gzipped ? packed : plain })
})
