import { Context, Effect, Layer, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientError } from "effect/http"
import { isOwnLink, linkFault, nameOfLink, notPublic } from "../../guard/linkFault.ts"
import { HostAddresses, linkNames } from "./linkNames.ts"
import { RetryPolicy } from "../RetryPolicy.ts"
import { webClient } from "../webClient.ts"

/** Why a link gave no file. It names the host and nothing else of the link, whose query opens the file to anyone. */
export class LinkFailed extends Schema.TaggedError<LinkFailed>()("LinkFailed", {
  host: Schema.String,
  /** `expired`: a new link may work; `lost`: it may work again; `refused`: no link like it is followed. */
  kind: Schema.Literals(["expired", "lost", "refused"]),
  what: Schema.String
}) {
  override get message() {
    return `The link to ${this.host} gave no file: ${this.what}`
  }
}

const maxRedirects = 3

const codeOf = ({ reason: { cause } }: HttpClientError.HttpClientError): string => {
  const inner = cause instanceof AggregateError ? cause.errors[0] : cause
  if (!(inner instanceof Error)) return "no connection"
  return "code" in inner ? String(inner.code) : inner.name
}

/**
 * Follows links that a service gives out, by a client that has no key: each, and each that it redirects to, is looked at
 * first. `marketplace`: where links need no look. `maxBytes`: the largest file.
 */
export const linksBeside = Effect.fnUntraced(function* (marketplace: URL, maxBytes: number) {
  const names = linkNames(yield* HostAddresses, new Set(["localhost", marketplace.hostname]))
  const client = Context.get(yield* Layer.build(webClient(maxBytes, names.lookup)), HttpClient.HttpClient)

  const nameFault = Effect.fnUntraced(function* (url: URL) {
    const name = isOwnLink(url, marketplace) ? null : nameOfLink(url)
    if (name === null || (yield* Effect.promise(() => names.isPublic(name)))) return null
    return `its name stands for ${notPublic}`
  })

  const open = Effect.fnUntraced(function* (
    link: string,
    from: URL | null,
    redirects: number
  ): Effect.fn.Return<Stream.Stream<Uint8Array, LinkFailed>, LinkFailed> {
    const { timeoutMillis } = yield* RetryPolicy
    const url = URL.parse(link, from?.href)
    if (url === null) return yield* new LinkFailed({ host: "nowhere", kind: "refused", what: "it is no address" })
    const failed = (kind: LinkFailed["kind"], what: string) => new LinkFailed({ host: url.host, kind, what })
    const fault = linkFault(url, marketplace) ?? (yield* nameFault(url))
    if (fault !== null) return yield* failed("refused", fault)
    const { headers, status, stream } = yield* client.execute(HttpClientRequest.get(url.href)).pipe(
      Effect.mapError((error) => failed("lost", codeOf(error))),
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(failed("lost", `no answer within ${timeoutMillis / 1000} s`))
      })
    )
    const bytes = Stream.mapError(stream, (error) => failed("lost", codeOf(error)))
    if (status === 200) return bytes
    yield* Effect.ignore(Stream.runDrain(Stream.take(bytes, 1)))
    const next = headers["location"]
    if (status >= 300 && status < 400 && next !== undefined) {
      if (redirects === maxRedirects) return yield* failed("refused", "it redirects again and again")
      return yield* open(next, url, redirects + 1)
    }
    const isExpired = status === 403 || status === 401 || status === 404 || status === 410
    return yield* failed(isExpired ? "expired" : "lost", `it answers ${status}`)
  })
  /** The bytes behind a link, as they come. Spans have the whole address, so there are none. */
  return (link: string): Stream.Stream<Uint8Array, LinkFailed> =>
    Stream.unwrap(Effect.provideService(open(link, null, 0), HttpClient.TracerDisabledWhen, () => true))
})
