import { Context, Effect, Layer, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { isOwnLink, linkFault, nameOfLink, notPublic, isPublicAddress } from "../guard/linkFault.ts"
import { RetryPolicy } from "./RetryPolicy.ts"
import { failureCode, webClient } from "./webClient.ts"
import { lookup, type LookupAddress } from "node:dns"
import type { LookupFunction } from "node:net"
import { callbackify, promisify } from "node:util"
import { maxFeedBytes } from "./otherCalls.ts"
import { urlSetting } from "./Marketplace.ts"

const addresses = promisify(lookup)

export type HostAddresses = (name: string) => Promise<ReadonlyArray<LookupAddress>>
/**
 * The names that links lead to. `isPublic` looks a name up and checks its addresses; `lookup` connects to the checked
 * addresses and never looks the name up again, since it may stand for others by then. `own` names are not checked.
 */
export const linkNames = (addressesOf: HostAddresses, own: ReadonlySet<string>) => {
  const checked = new Map<string, ReadonlyArray<LookupAddress>>()
  /** True also for a name that cannot be resolved here, because a proxy may resolve it. */
  const isPublic = async (name: string): Promise<boolean> => {
    const found = await addressesOf(name).catch(() => [])
    const all = found.every(({ address }) => isPublicAddress(address))
    checked.set(name, all ? found : [])
    return all
  }
  const find = callbackify(async (host: string) => {
    const name = host.replace(/\.$/, "")
    const [first, ...others] = checked.get(name) ?? (own.has(name) ? await addressesOf(name) : [])
    if (first !== undefined) return [first, ...others] as const
    throw Object.assign(new Error(`${name} has no address`), { code: "ENOTFOUND" })
  })
  const connect: LookupFunction = (host, { all }, callback) =>
    find(host, (cause, found) => {
      if (cause !== null) callback(cause, "")
      else if (all === true) callback(null, [...found])
      else callback(null, found[0].address, found[0].family)
    })
  return { isPublic, lookup: connect }
}

/** A failed download. It contains only the host of the link, because the query grants access to the file. */
export class LinkFailed extends Schema.TaggedError<LinkFailed>()("LinkFailed", {
  host: Schema.String,
  /** `expired`: a new link may work; `lost`: a retry may work; `refused`: such links are never followed. */
  kind: Schema.Literals(["expired", "lost", "refused"]),
  what: Schema.String
}) {
  override get message() {
    return `The link to ${this.host} returned no file: ${this.what}`
  }
}

const maxRedirects = 3

/**
 * Downloads links from a service with a client that has no key. It checks every link and every redirect first. Links to
 * `marketplace` are not checked. `maxBytes` is the maximum size of a file.
 */
export const linksBeside = Effect.fnUntraced(function* (
  marketplace: URL,
  maxBytes: number,
  addressesOf: HostAddresses = (name) => addresses(name, { all: true })
) {
  const names = linkNames(addressesOf, new Set(["localhost", marketplace.hostname]))
  const client = Context.get(yield* Layer.build(webClient(maxBytes, names.lookup)), HttpClient.HttpClient)

  const nameFault = Effect.fnUntraced(function* (url: URL) {
    const name = isOwnLink(url, marketplace) ? null : nameOfLink(url)
    if (name === null || (yield* Effect.promise(() => names.isPublic(name)))) return null
    return `its name resolves to ${notPublic}`
  })

  const open = Effect.fnUntraced(function* (
    link: string,
    from: URL | null,
    redirects: number
  ): Effect.fn.Return<Stream.Stream<Uint8Array, LinkFailed>, LinkFailed> {
    const { timeoutMillis } = yield* RetryPolicy
    const url = URL.parse(link, from?.href)
    if (url === null) return yield* new LinkFailed({ host: "nowhere", kind: "refused", what: "it is not an address" })
    const failed = (kind: LinkFailed["kind"], what: string) => new LinkFailed({ host: url.host, kind, what })
    const fault = linkFault(url, marketplace) ?? (yield* nameFault(url))
    if (fault !== null) return yield* failed("refused", fault)
    const { headers, status, stream } = yield* client.execute(HttpClientRequest.get(url.href)).pipe(
      Effect.mapError(({ reason }) => failed("lost", failureCode(reason.cause))),
      Effect.timeoutOrElse({
        duration: timeoutMillis,
        orElse: () => Effect.fail(failed("lost", `no answer within ${timeoutMillis / 1000} s`))
      })
    )
    const bytes = Stream.mapError(stream, ({ reason }) => failed("lost", failureCode(reason.cause)))
    if (status === 200) return bytes
    yield* Effect.ignore(Stream.runDrain(Stream.take(bytes, 1)))
    const next = headers["location"]
    if (status >= 300 && status < 400 && next !== undefined) {
      if (redirects === maxRedirects) return yield* failed("refused", "it redirects too often")
      return yield* open(next, url, redirects + 1)
    }
    const isExpired = status === 403 || status === 401 || status === 404 || status === 410
    return yield* failed(isExpired ? "expired" : "lost", `it answers ${status}`)
  })
  /** Streams the bytes behind a link. It records no spans, because they would contain the complete address. */
  return (link: string): Stream.Stream<Uint8Array, LinkFailed> =>
    Stream.unwrap(Effect.provideService(open(link, null, 0), HttpClient.TracerDisabledWhen, () => true))
})

/**
 * Downloads feed files, which are outside of the marketplace's API. It has no access to the key, and its client is not
 * that of {@link Marketplace}. Beyond the spec: section 8.
 */
export class FeedStorage extends Context.Service<
  FeedStorage,
  { readonly bytes: (link: string) => Stream.Stream<Uint8Array, LinkFailed> }
>()("cardlake/client/FeedStorage") {
  static readonly layerBy = (addressesOf?: HostAddresses) =>
    Layer.effect(
      FeedStorage,
      Effect.gen(function* () {
        return { bytes: yield* linksBeside(yield* urlSetting, maxFeedBytes, addressesOf) }
      })
    )
  static readonly layer = this.layerBy()
}
