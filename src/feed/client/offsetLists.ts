import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import { pageLimits } from "../contract/Paging.ts"

export type ApiClient = HttpApiClient.ForApi<typeof NightlyApi>

const paths = HttpApiClient.urlBuilder(NightlyApi)
const responseMode = "response-only"

/** The range of a page in a list. Its default size is {@link pageLimits} `offset.max`. */
interface PageRange {
  readonly offset: number
  readonly limit?: number | undefined
}

const query = ({ limit = pageLimits.offset.max, offset }: PageRange) => ({ limit, offset })

/** Returns a product search. The spec has paging in the query; the live service reads it from the body. */
const productsSearch = (gameId: string, page: PageRange) =>
  ({ ...query(page), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/**
 * The lists of a game that every night reads by offset, in this order. Each entry names the request of a page and sends
 * it. Their records are in `contract/records.ts`. Spec: Endpoints.
 */
export const offsetLists = {
  expansions: {
    request: (gameId: string, page: PageRange) =>
      `GET ${paths.catalogue.expansions({ params: { gameId }, query: query(page) })}`,
    send: (client: ApiClient, gameId: string, page: PageRange) =>
      client.catalogue.expansions({ params: { gameId }, query: query(page), responseMode })
  },
  products: {
    request: (gameId: string, page: PageRange) =>
      `POST ${paths.catalogue.searchProducts({ query: query(page) })} ${JSON.stringify(productsSearch(gameId, page))}`,
    send: (client: ApiClient, gameId: string, page: PageRange) =>
      client.catalogue.searchProducts({ query: query(page), payload: productsSearch(gameId, page), responseMode })
  }
} as const
/** Returns a search for sealed products only. The first page by name may contain none of them. */
export const sealedSearch = (gameId: string, limit: number): string => {
  const body = { ...productsSearch(gameId, { offset: 0, limit }), productType: { op: "or", values: ["sealed"] } }
  return `POST ${paths.catalogue.searchProducts({ query: query({ offset: 0, limit }) })} ${JSON.stringify(body)}`
}

export type OffsetList = keyof typeof offsetLists

/** A search for one product of a game, which also returns the number of its products. */
export const countSearch = {
  request: (gameId: string) => offsetLists.products.request(gameId, { offset: 0, limit: 1 }),
  send: (client: ApiClient, gameId: string) => offsetLists.products.send(client, gameId, { offset: 0, limit: 1 })
} as const

export const offsetListNames = Object.keys(offsetLists) as ReadonlyArray<OffsetList>
