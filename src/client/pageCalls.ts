import { Result, Schema } from "effect"
import { HttpApiClient } from "effect/http-api"
import { MarketplaceApi } from "../contract/MarketplaceApi.ts"
import { CursorPage, OffsetPage, pageLimits } from "../contract/Paging.ts"
import { Foreign } from "./attempt.ts"
import type { Call } from "./attempt.ts"
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

/** A page before it is asked for: how ledgers name the request, and what its JSON must be. */
export type PageCall<Pagination> = Omit<Call<PageContent<Pagination>>, "send">

/** `limit` 1 to 100. */
export interface ChangelogQuery {
  readonly limit: number
  readonly cursor?: string
  readonly includeChanges?: boolean
}

const isCursorPage = Schema.is(CursorPage(Schema.Unknown))
const isOffsetPage = Schema.is(OffsetPage(Schema.Unknown))

const readCursorPage = (most: number) => (json: unknown) => {
  const many = tooMany(json, most)
  if (many !== null) return Result.fail(many)
  return isCursorPage(json) ? Result.succeed(json) : Result.fail(new Foreign("its JSON is no page of a cursor list"))
}
const readOffsetPage = (offset: number) => (json: unknown) => {
  const many = tooMany(json, limit)
  if (many !== null) return Result.fail(many)
  if (!isOffsetPage(json)) return Result.fail(new Foreign("its JSON is no page of an offset list"))
  return json.pagination.offset === offset
    ? Result.succeed(json)
    : Result.fail(`it is the page at offset ${json.pagination.offset}`)
}

const paths = HttpApiClient.urlBuilder(MarketplaceApi)
const limit = pageLimits.offset.max

export const changelogQuery = ({ includeChanges, ...rest }: ChangelogQuery) =>
  includeChanges ? { ...rest, includeChanges: "true" as const } : rest

/** A page of {@link pageLimits} `offset.max` items. */
export const offsetQuery = (offset: number) => ({ limit, offset })

/** Paging in query and body: the spec has it in the query, the live service reads the body. */
export const productsSearch = (gameId: string, offset: number) =>
  ({ ...offsetQuery(offset), gameFilters: { game: gameId }, sortBy: "name", sortDirection: "asc" }) as const

/** The pages of a game's lists; the same page has the same request text in every run. Spec: Endpoints. */
export const pageCalls = {
  changelog: (gameId: string, query: ChangelogQuery): PageCall<CursorPagination> => ({
    operation: "changelog",
    game: gameId,
    request: `GET ${paths.feeds.changelog({ params: { gameId }, query: changelogQuery(query) })}`,
    read: readCursorPage(query.limit)
  }),
  expansions: (gameId: string, offset: number): PageCall<OffsetPagination> => ({
    operation: "expansions",
    game: gameId,
    request: `GET ${paths.catalogue.expansions({ params: { gameId }, query: offsetQuery(offset) })}`,
    read: readOffsetPage(offset)
  }),
  products: (gameId: string, offset: number): PageCall<OffsetPagination> => ({
    operation: "products",
    game: gameId,
    request: `POST ${paths.catalogue.searchProducts({ query: offsetQuery(offset) })} ${JSON.stringify(productsSearch(gameId, offset))}`,
    read: readOffsetPage(offset)
  })
}
