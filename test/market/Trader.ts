import { Effect, Layer } from "effect"
import { FetchHttpClient, HttpClientRequest } from "effect/http"
import { HttpApiClient, HttpApiMiddleware } from "effect/http-api"
import { Authorization } from "../../src/feed/contract/Authorization.ts"
import { MarketplaceApi } from "../../src/market/contract/MarketplaceApi.ts"
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

/** A new account with a key to everything. A seller in EUR unless told otherwise. */
export const makeTrader = Effect.fnUntraced(function* (
  username: string,
  seller: {
    readonly type: "pro" | "individual"
    readonly currency: "EUR" | "USD"
    readonly staged?: boolean
  } | null = { type: "pro", currency: "EUR" }
) {
  const { controlAccounts, controlEvents } = yield* control
  const made = yield* controlAccounts.createAccount({ payload: { username, ...(seller === null ? {} : { seller }) } })
  const accountId = made.account.id
  return {
    accountId,
    key: made.key.key,
    api: yield* clientOf(made.key.key),
    events: Effect.map(controlEvents.events({ query: { accountId } }), ({ data }) => data.map(({ event }) => event))
  }
})
