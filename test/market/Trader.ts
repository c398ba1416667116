import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Authorization } from "../../src/feed/contract/Authorization.ts"
import { MarketplaceApi } from "../../src/market/contract/MarketplaceApi.ts"
import type { MarketCurrency } from "../../src/market/contract/Money.ts"
import { ControlApi } from "../../src/market/control/ControlApi.ts"
import { Served } from "./Served.ts"

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
