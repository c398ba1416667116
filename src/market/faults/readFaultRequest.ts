import type { Incoming } from "../answers/wire.ts"
import { Effect } from "effect"

import type { FaultEndpoint } from "./FaultPlan.ts"

/** The parts of a request that rules use. */
export interface FaultRequest {
  /** Method, path, query and body. Headers, and thus the key, are excluded. */
  readonly identity: string
  /** The JSON text of the body; empty if there is none. */
  readonly body: string
  readonly endpoint: FaultEndpoint
  /** The game in path or search. */
  readonly gameId: string | undefined
  /** The start of the requested page; only for offset lists. */
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

const parseSearch = (body: string): Search => {
  try {
    const json: unknown = JSON.parse(body)
    return typeof json === "object" && json !== null ? json : {}
  } catch {
    return {}
  }
}

const parseInteger = (value: unknown): number | undefined =>
  Number.isInteger(Number(value)) ? Number(value) : undefined

/** Reads a JSON body. Files are left to their handlers, which stream them. */
const readBody = (request: Incoming) =>
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
 * Returns the request for the rules; undefined if it is no marketplace operation or has no key. Any web page can send
 * keyless requests and would use up the faults.
 */
export const readFaultRequest = Effect.fnUntraced(function* (request: Incoming) {
  const { pathname, searchParams } = new URL(request.url, "http://sandbox")
  // Object storage accepts a signed link instead of a key.
  const isSigned = pathname.startsWith("/files/feeds/") && searchParams.has("signature")
  if (request.headers["authorization"] === undefined && !isSigned) return undefined
  const operation = operations.find(([path]) => path.test(pathname))
  if (operation === undefined) return undefined
  const [path, endpoint] = operation
  const body = yield* readBody(request)
  const search = endpoint === "products" ? parseSearch(body) : {}
  const inPath = endpoint === "products" ? undefined : path.exec(pathname)?.[1]
  const game = search.gameFilters?.game
  return {
    identity: `${request.method} ${isSigned ? pathname : request.url}${body === "" ? "" : ` ${body}`}`,
    body,
    endpoint,
    gameId: inPath === undefined ? (typeof game === "string" ? game : undefined) : decoded(inPath),
    offset:
      endpoint === "products" || endpoint === "expansions"
        ? parseInteger(searchParams.get("offset") ?? search.offset ?? 0)
        : undefined
  } satisfies FaultRequest
})
