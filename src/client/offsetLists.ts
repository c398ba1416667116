import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import { pageLimits } from "../contract/Paging.ts"

export type ApiClient = HttpApiClient.ForApi<typeof NightlyApi>

const paths = HttpApiClient.urlBuilder(NightlyApi)
const responseMode = "response-only"

/** A page of {@link pageLimits} `offset.max` items. */
const query = (offset: number) => ({ limit: pageLimits.offset.max, offset })

/** Paging goes into query and body: the spec has it in the query, the live service reads the body. */
const productsSearch = (gameId: string, offset: number) =>
  ({ ...query(offset), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/**
 * The lists of a game that every night reads by offset, in this order: how ledgers name the
 * request of a page, how it is sent. Their records are in `contract/records.ts`. Spec: Endpoints.
 */
export const offsetLists = {
  expansions: {
    request: (gameId: string, offset: number) =>
      `GET ${paths.catalogue.expansions({ params: { gameId }, query: query(offset) })}`,
    send: (client: ApiClient, gameId: string, offset: number) =>
      client.catalogue.expansions({ params: { gameId }, query: query(offset), responseMode })
  },
  products: {
    request: (gameId: string, offset: number) =>
      `POST ${paths.catalogue.searchProducts({ query: query(offset) })} ${JSON.stringify(productsSearch(gameId, offset))}`,
    send: (client: ApiClient, gameId: string, offset: number) =>
      client.catalogue.searchProducts({ query: query(offset), payload: productsSearch(gameId, offset), responseMode })
  }
} as const
export type OffsetList = keyof typeof offsetLists

export const offsetListNames = Object.keys(offsetLists) as ReadonlyArray<OffsetList>
