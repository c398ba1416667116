import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import { pageLimits } from "../contract/Paging.ts"

export type ApiClient = HttpApiClient.ForApi<typeof NightlyApi>

const paths = HttpApiClient.urlBuilder(NightlyApi)
const responseMode = "response-only"

/** A page of {@link pageLimits} `offset.max` items, unless fewer are wanted. */
const query = (offset: number, limit: number = pageLimits.offset.max) => ({ limit, offset })

/** Paging goes into query and body: the spec has it in the query, the live service reads the body. */
const productsSearch = (gameId: string, offset: number, limit?: number) =>
  ({ ...query(offset, limit), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/**
 * The lists of a game that every night reads by offset, in this order: how ledgers name the
 * request of a page, how it is sent. Their records are in `contract/records.ts`. Spec: Endpoints.
 */
export const offsetLists = {
  expansions: {
    request: (gameId: string, offset: number, limit?: number) =>
      `GET ${paths.catalogue.expansions({ params: { gameId }, query: query(offset, limit) })}`,
    send: (client: ApiClient, gameId: string, offset: number, limit?: number) =>
      client.catalogue.expansions({ params: { gameId }, query: query(offset, limit), responseMode })
  },
  products: {
    request: (gameId: string, offset: number, limit?: number) =>
      `POST ${paths.catalogue.searchProducts({ query: query(offset, limit) })} ${JSON.stringify(productsSearch(gameId, offset, limit))}`,
    send: (client: ApiClient, gameId: string, offset: number, limit?: number) =>
      client.catalogue.searchProducts({
        query: query(offset, limit),
        payload: productsSearch(gameId, offset, limit),
        responseMode
      })
  }
} as const
export type OffsetList = keyof typeof offsetLists

/** A search for a single product of a game: it says how many there are. */
export const countSearch = {
  request: (gameId: string) => offsetLists.products.request(gameId, 0, 1),
  send: (client: ApiClient, gameId: string) => offsetLists.products.send(client, gameId, 0, 1)
} as const

export const offsetListNames = Object.keys(offsetLists) as ReadonlyArray<OffsetList>
