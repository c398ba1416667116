import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import { pageLimits } from "../contract/Paging.ts"

export type ApiClient = HttpApiClient.ForApi<typeof NightlyApi>

const paths = HttpApiClient.urlBuilder(NightlyApi)
const responseMode = "response-only"

/** Which page of a list; of {@link pageLimits} `offset.max` items, unless fewer are wanted. */
interface PageRange {
  readonly offset: number
  readonly limit?: number | undefined
}

const query = ({ limit = pageLimits.offset.max, offset }: PageRange) => ({ limit, offset })

/** Paging goes into query and body: the spec has it in the query, the live service reads the body. */
const productsSearch = (gameId: string, page: PageRange) =>
  ({ ...query(page), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/**
 * The lists of a game that every night reads by offset, in this order: how ledgers name the
 * request of a page, how it is sent. Their records are in `contract/records.ts`. Spec: Endpoints.
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
/** A search for sealed products alone, of which the first page by name may have none. */
export const sealedSearch = (gameId: string, limit: number): string => {
  const body = { ...productsSearch(gameId, { offset: 0, limit }), productType: { op: "or", values: ["sealed"] } }
  return `POST ${paths.catalogue.searchProducts({ query: query({ offset: 0, limit }) })} ${JSON.stringify(body)}`
}

export type OffsetList = keyof typeof offsetLists

/** A search for a single product of a game: it says how many there are. */
export const countSearch = {
  request: (gameId: string) => offsetLists.products.request(gameId, { offset: 0, limit: 1 }),
  send: (client: ApiClient, gameId: string) => offsetLists.products.send(client, gameId, { offset: 0, limit: 1 })
} as const

export const offsetListNames = Object.keys(offsetLists) as ReadonlyArray<OffsetList>
