import { Result, Schema } from "effect"
import { HttpApiClient } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { CursorPage, OffsetPage, pageLimits } from "../contract/Paging.ts"
import type { Call } from "./attempt.ts"
import { Foreign } from "./openPage.ts"
import { tooMany } from "./tooMany.ts"

/** Pagination of the two kinds of list; null for the unpaginated one. */
export interface OffsetPagination {
  readonly offset: number
  readonly limit: number
  readonly total: number
  readonly hasMore: boolean
}
export interface CursorPagination {
  readonly nextCursor: string | null
}

/** The records and the pagination of a page's JSON. */
export interface PageContent<Pagination> {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: Pagination
}

/** The lists whose pages are asked for. */
export type ListName = "changelog" | "expansions" | "products"

/** A page before it is asked for: how ledgers name the request, and what its JSON must be. */
export interface PageCall<Pagination> extends Omit<Call<never>, "open" | "send"> {
  readonly operation: ListName
  readonly game: string
  readonly send: (client: ApiClient) => Call<never>["send"]
  /** What {@link pageReads} of the list takes: the offset of the page, or how many records it may have. */
  readonly expects: number
  /** The JSON as the expected envelope, or what is wrong with it. */
  readonly read: (json: unknown) => Result.Result<PageContent<Pagination>, Foreign | string>
}

export type ApiClient = HttpApiClient.ForApi<typeof MarketplaceApi>

/** `limit` 1 to 100. */
export interface ChangelogQuery {
  readonly limit: number
  readonly cursor?: string
  readonly includeChanges?: boolean
}

const isCursorPage = Schema.is(CursorPage(Schema.Unknown))
const isOffsetPage = Schema.is(OffsetPage(Schema.Unknown))

const readCursorPage =
  (most: number) =>
  (json: unknown): Result.Result<PageContent<CursorPagination>, Foreign | string> => {
    const many = tooMany(json, most)
    if (many !== null) return Result.fail(many)
    return isCursorPage(json) ? Result.succeed(json) : Result.fail(new Foreign("its JSON is no page of a cursor list"))
  }
const readOffsetPage =
  (offset: number) =>
  (json: unknown): Result.Result<PageContent<OffsetPagination>, Foreign | string> => {
    const many = tooMany(json, limit)
    if (many !== null) return Result.fail(many)
    if (!isOffsetPage(json)) return Result.fail(new Foreign("its JSON is no page of an offset list"))
    return json.pagination.offset === offset
      ? Result.succeed(json)
      : Result.fail(`it is the page at offset ${json.pagination.offset}`)
  }

const paths = HttpApiClient.urlBuilder(MarketplaceApi)
const limit = pageLimits.offset.max

const changelogQuery = ({ includeChanges, ...rest }: ChangelogQuery) =>
  includeChanges ? { ...rest, includeChanges: "true" as const } : rest

/** A page of {@link pageLimits} `offset.max` items. */
const offsetQuery = (offset: number) => ({ limit, offset })

/** Paging in query and body: the spec has it in the query, the live service reads the body. */
const productsSearch = (gameId: string, offset: number) =>
  ({ ...offsetQuery(offset), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/** What the JSON of a list's page must be. */
export const pageReads = { changelog: readCursorPage, expansions: readOffsetPage, products: readOffsetPage } as const

const responseMode = "response-only"

/** The pages of a game's lists; the same page has the same request text in every run. Spec: Endpoints. */
export const pageCalls = {
  changelog: (gameId: string, query: ChangelogQuery): PageCall<CursorPagination> => ({
    operation: "changelog",
    game: gameId,
    request: `GET ${paths.feeds.changelog({ params: { gameId }, query: changelogQuery(query) })}`,
    send: (client) => client.feeds.changelog({ params: { gameId }, query: changelogQuery(query), responseMode }),
    expects: query.limit,
    read: readCursorPage(query.limit)
  }),
  expansions: (gameId: string, offset: number): PageCall<OffsetPagination> => ({
    operation: "expansions",
    game: gameId,
    request: `GET ${paths.catalogue.expansions({ params: { gameId }, query: offsetQuery(offset) })}`,
    send: (client) => client.catalogue.expansions({ params: { gameId }, query: offsetQuery(offset), responseMode }),
    expects: offset,
    read: readOffsetPage(offset)
  }),
  products: (gameId: string, offset: number): PageCall<OffsetPagination> => ({
    operation: "products",
    game: gameId,
    request: `POST ${paths.catalogue.searchProducts({ query: offsetQuery(offset) })} ${JSON.stringify(productsSearch(gameId, offset))}`,
    send: (client) =>
      client.catalogue.searchProducts({
        query: offsetQuery(offset),
        payload: productsSearch(gameId, offset),
        responseMode
      }),
    expects: offset,
    read: readOffsetPage(offset)
  })
}
