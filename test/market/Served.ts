import { Context, Effect, Layer } from "effect"
import { fileURLToPath } from "node:url"
import type { Sandbox, SandboxOptions } from "../../src/market/Sandbox.ts"
import { serveSandbox } from "../../src/market/serveSandbox.ts"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Authorization } from "../../src/feed/contract/Authorization.ts"
import { MarketplaceApi } from "../../src/market/contract/MarketplaceApi.ts"
import type { MarketCurrency } from "../../src/market/contract/Money.ts"
import { ControlApi } from "../../src/market/control/ControlApi.ts"

export const sampleFolder = fileURLToPath(new URL("../../data/sample", import.meta.url))
export const testKey = "test-key"

interface Counted<A> {
  readonly added: A
  readonly modified: A
  readonly removed: A
}

/** The keys an item of any list may have. */
export interface Item {
  readonly id: number | string
  readonly name: string
  readonly nameSlug: string
  readonly slug: string
  readonly productType: string
  readonly productCategory: string
  readonly expansionId: number
  readonly printNumber: string
  readonly releaseDate: string
  readonly gameId: string
  readonly deployedAt: string
  readonly attributes: { readonly cost: number; readonly kind: string }
  readonly externalIds: { readonly sourceEur: ReadonlyArray<{ readonly id: number }> }
  readonly summary: { readonly products: Counted<number>; readonly expansions: Counted<number> }
  readonly changes: {
    readonly products: Counted<ReadonlyArray<Item>>
    readonly expansions: Counted<ReadonlyArray<Item>>
  }
}

/** The keys a body may have: a test reads those it expects, an absent one fails its assertion. */
export interface Body extends Item {
  readonly data: ReadonlyArray<Item> & Readonly<Record<string, unknown>>
  readonly pagination: {
    readonly offset: number
    readonly limit: number
    readonly total: number
    readonly hasMore: boolean
    readonly nextCursor: string | null
  }
  readonly code: string
  readonly status: number
  readonly message: string
  readonly deploymentId: string
  readonly remaining: number
  readonly openapi: string
  readonly paths: Readonly<Record<string, unknown>>
}

/** What the sandbox answered. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly json: Body
}

/** A running sandbox, asked over HTTP as any client would. */
export class Served extends Context.Service<Served, Sandbox>()("cardlake/test/Served") {
  static readonly layer = (options: Partial<SandboxOptions> = {}) =>
    Layer.effect(Served, serveSandbox({ catalogue: sampleFolder, key: testKey, ...options }))
}

/** Sends one request with the test key; a body makes it a POST of JSON. */
export const ask = Effect.fnUntraced(function* (
  path: string,
  {
    body,
    headers = {},
    key = testKey,
    method = body === undefined ? "GET" : "POST"
  }: {
    readonly body?: unknown
    readonly headers?: Record<string, string>
    readonly key?: string
    readonly method?: string
  } = {}
) {
  const { origin } = yield* Served
  return yield* Effect.promise(async (): Promise<Answer> => {
    const response = await fetch(origin + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    return { status: response.status, headers: response.headers, json: (await response.json()) as Body }
  })
})

export const search = (body: unknown, query = "") => ask(`/v1/products/search${query}`, { body })

/** The control routes as typed calls. */
export const control = Effect.flatMap(Served, ({ url }) =>
  HttpApiClient.make(ControlApi, { baseUrl: url }).pipe(Effect.provide(FetchHttpClient.layer))
)

/** The marketplace as typed calls with this key. */
export const clientOf = (key: string) =>
  Effect.flatMap(Served, ({ url }) =>
    HttpApiClient.make(MarketplaceApi, { baseUrl: url }).pipe(
      Effect.provide(
        Layer.merge(
          FetchHttpClient.layer,
          HttpApiMiddleware.layerClient(Authorization, ({ request, next }) =>
            next(HttpClientRequest.bearerToken(request, key))
          )
        )
      )
    )
  )

/** A new account with a key to everything; a seller if it has one's settings. */
export const makeAccount = Effect.fnUntraced(function* (payload: {
  readonly username: string
  readonly country?: string
  readonly seller?: {
    readonly type: "pro" | "individual"
    readonly currency: MarketCurrency
    readonly staged?: boolean
  }
}) {
  const { controlAccounts, controlEvents } = yield* control
  const { account, key } = yield* controlAccounts.createAccount({ payload })
  return {
    id: account.id,
    key: key.key,
    api: yield* clientOf(key.key),
    events: Effect.map(controlEvents.events({ query: { accountId: account.id } }), ({ data }) =>
      data.map(({ event }) => event)
    )
  }
})

/** A seller in EUR unless told otherwise. */
export const makeTrader = (
  username: string,
  seller: Parameters<typeof makeAccount>[0]["seller"] | null = { type: "pro", currency: "EUR" }
) => makeAccount({ username, ...(seller === null ? {} : { seller }) })
