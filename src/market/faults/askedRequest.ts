import { Effect } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { FaultEndpoint } from "./FaultPlan.ts"

/** A request as the rules see it. */
export interface AskedRequest {
  /** Method, path, query and body; never a header, so never the key. */
  readonly identity: string
  /** Its JSON text; "" if it has none. */
  readonly body: string
  readonly endpoint: FaultEndpoint
  /** The game it names in path or search. */
  readonly gameId: string | undefined
  /** Where the page starts that it asks for; only of offset lists. */
  readonly offset: number | undefined
}

const operations: ReadonlyArray<readonly [RegExp, FaultEndpoint]> = [
  [/^\/v1\/games$/, "games"],
  [/^\/v1\/games\/([^/]+)$/, "game"],
  [/^\/v1\/games\/([^/]+)\/expansions$/, "expansions"],
  [/^\/v1\/expansions\/[^/]+$/, "expansion"],
  [/^\/v1\/products(\/search)?$/, "products"],
  [/^\/v1\/products\/[^/]+\/listings$/, "listings"],
  [/^\/v1\/products\/(?:resolve|[^/]+\/.+)$/, "prices"],
  [/^\/v1\/products\/[^/]+$/, "product"],
  [/^\/v1\/feeds\/([^/]+)\/changelog$/, "changelog"],
  [/^\/v1\/account\//, "account"],
  [/^\/v1\/feeds\/([^/]+)/, "feeds"],
  [/^\/files\/feeds\/([^/]+)\//, "downloads"],
  [/^\/v1\/inventory\/bulk\//, "jobs"],
  [/^\/v1\/(?:inventory\/[^/]+\/listing|listings)$/, "listings"],
  [/^\/v1\/inventory/, "inventory"],
  [/^\/v1\/cart/, "cart"],
  [/^\/v1\/sales\/[^/]+\/refunds$/, "refunds"],
  [/^\/v1\/sales/, "sales"],
  [/^\/v1\/purchases/, "purchases"]
]

interface Search {
  readonly gameFilters?: { readonly game?: unknown } | null
  readonly offset?: unknown
}

const searchOf = (body: string): Search => {
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === "object" && json !== null ? json : {}
  } catch {
    return {}
  }
}

const numberOf = (value: unknown): number | undefined => (Number.isInteger(Number(value)) ? Number(value) : undefined)

/** The text of a JSON body. A file is left to its handler, which reads it piece by piece. */
const bodyOf = (request: HttpServerRequest.HttpServerRequest) =>
  request.method === "GET" || request.headers["content-type"]?.startsWith("multipart/") === true
    ? Effect.succeed("")
    : Effect.orElseSucceed(request.text, () => "")

const decoded = (segment: string): string => {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/**
 * The request as the rules see it; undefined if it is not an operation of the marketplace, or has no key: any page of
 * the web can send such a one, and would use the faults up.
 */
export const askedRequest = Effect.fnUntraced(function* (request: HttpServerRequest.HttpServerRequest) {
  const { pathname, searchParams } = new URL(request.url, "http://sandbox")
  // Object storage takes a signed link, and no key.
  const isSigned = pathname.startsWith("/files/feeds/") && searchParams.has("signature")
  if (request.headers["authorization"] === undefined && !isSigned) return undefined
  const operation = operations.find(([path]) => path.test(pathname))
  if (operation === undefined) return undefined
  const [path, endpoint] = operation
  const body = yield* bodyOf(request)
  const search = endpoint === "products" ? searchOf(body) : {}
  const inPath = endpoint === "products" ? undefined : path.exec(pathname)?.[1]
  const game = search.gameFilters?.game
  return {
    identity: `${request.method} ${isSigned ? pathname : request.url}${body === "" ? "" : ` ${body}`}`,
    body,
    endpoint,
    gameId: inPath === undefined ? (typeof game === "string" ? game : undefined) : decoded(inPath),
    offset:
      endpoint === "products" || endpoint === "expansions"
        ? numberOf(searchParams.get("offset") ?? search.offset ?? 0)
        : undefined
  } satisfies AskedRequest
})
