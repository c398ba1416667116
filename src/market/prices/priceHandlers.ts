import { Effect } from "effect"
import { HttpApiBuilder } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { jsonAnswer } from "../answers/jsonAnswer.ts"
import { findProduct, openLive, LiveCatalogue } from "../catalogue/LiveCatalogue.ts"
import { readRecord, isPlainObject } from "../catalogue/Json.ts"
import { Words } from "../wording/Wording.ts"
import { MarketClock } from "../state/MarketClock.ts"
import { State } from "../state/State.ts"
import { historyPeriod, priceHistory, pricesByFinish } from "./priceHistory.ts"
import { recentSales } from "./recentSales.ts"
import type { ProductShelf } from "../catalogue/StoredCatalogue.ts"

/** A product as an external id finds it. */
interface ResolvedProduct {
  readonly id: number
  readonly name: string
  readonly gameId: string
  readonly expansionId: number | null
  readonly finish: string
}

const resolvedBy = (text: Uint8Array, source: "sourceEur" | "sourceUsd", wanted: number) => {
  const { externalIds, expansionId, gameId, id, name } = readRecord(text)
  const entries = isPlainObject(externalIds) ? externalIds[source] : undefined
  const entry = Array.isArray(entries)
    ? entries.find((each: unknown) => isPlainObject(each) && each["id"] === wanted)
    : undefined
  return {
    id: Number(id),
    name: String(name),
    gameId: String(gameId),
    expansionId: typeof expansionId === "number" ? expansionId : null,
    finish: String(entry?.finish)
  } satisfies ResolvedProduct
}

/** The first product that has each id, and its first finish with it. Beyond the spec: section 6, resolve. */
const resolveIds = (
  shelves: ReadonlyArray<ProductShelf>,
  source: "sourceEur" | "sourceUsd",
  ids: ReadonlyArray<number>
): ReadonlyMap<number, ResolvedProduct> => {
  const wanted = new Set(ids)
  const found = new Map<number, ResolvedProduct>()
  for (const shelf of shelves) {
    for (let index = 0; index < shelf.size && wanted.size > 0; index++) {
      for (const id of shelf.facts(index)[source]) {
        if (wanted.delete(id)) found.set(id, resolvedBy(shelf.text(index), source, id))
      }
    }
  }
  return found
}

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
