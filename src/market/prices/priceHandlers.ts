import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { findProduct, openLive } from "../catalogue/findLive.ts"
import { readRecord } from "../catalogue/Json.ts"
import { LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { Words } from "../wording/Wording.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { historyPeriod } from "./historyPeriod.ts"
import { priceHistory } from "./priceHistory.ts"
import { pricesByFinish } from "./pricesByFinish.ts"
import { recentSales } from "./recentSales.ts"
import { resolveIds } from "./resolveIds.ts"

/** What a product costs, used to cost and sold for. Beyond the spec: sections 6 and 7. */
export const priceHandlers = HttpApiBuilder.group(MarketplaceApi, "prices", (handlers) =>
  handlers
    .handle(
      "prices",
      Effect.fnUntraced(function* ({ request, params }) {
        const { prices: rule } = yield* Words.ask
        const product = readRecord((yield* findProduct(params.productId, rule)).text)
        const answer = { productId: product["id"], pricesByFinish: pricesByFinish(product) }
        // As stored: a record that breaks the contract is served broken, as by the catalogue.
        return yield* jsonAnswer(request, JSON.stringify(answer))
      })
    )
    .handle(
      "priceHistory",
      Effect.fnUntraced(function* ({ params, query }) {
        const { game, text } = yield* findProduct(params.productId)
        const { now } = yield* MarketClock
        const period = yield* Effect.fromResult(historyPeriod(query, now()))
        const productId = Number(readRecord(text)["id"])
        const data = yield* Effect.promise(() => priceHistory(game, String(productId), { ...query, ...period }))
        return { productId, ...period, data }
      })
    )
    .handle(
      "recentSales",
      Effect.fnUntraced(function* ({ params, query }) {
        const product = readRecord((yield* findProduct(params.productId)).text)
        const { store } = yield* State
        const { now } = yield* MarketClock
        return yield* Effect.fromResult(recentSales(store, now(), { productId: Number(product["id"]), ...query }))
      })
    )
    .handle(
      "resolve",
      Effect.fnUntraced(function* ({ payload: { ids, marketplace } }) {
        const { games } = yield* LiveCatalogue
        const deployments = yield* Effect.forEach(games.values(), openLive)
        const found = resolveIds(
          deployments.map(({ products }) => products),
          marketplace,
          ids
        )
        return { results: ids.map((externalId) => ({ externalId, product: found.get(externalId) ?? null })) }
      })
    )
)
