import type { Result } from "effect"
import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { rewordPage } from "../contract/dialect/reworded.ts"
import type { Call } from "./attempt.ts"
import type { NotOurJson } from "./OpenFault.ts"
import { type ApiClient, offsetLists, type OffsetList } from "./offsetLists.ts"
import {
  readCursorPage,
  readOffsetPage,
  type CursorPagination,
  type OffsetPagination,
  type PageContent
} from "./pageReads.ts"

/** A page that is not yet requested: how ledgers name the request, and what its JSON must be. */
export interface PageCall<Pagination> extends Omit<Call<never>, "open" | "send"> {
  readonly operation: OffsetList | "changelog"
  readonly game: string
  readonly send: (client: ApiClient) => Call<never>["send"]
  /** What the reader of the list's pages takes: the offset of the page, or how many records it may have. */
  readonly expects: number
  /** The JSON as the expected envelope, or what is wrong with it. */
  readonly read: (json: unknown) => Result.Result<PageContent<Pagination>, NotOurJson | string>
}

/** `limit` 1 to 100. */
export interface ChangelogQuery {
  readonly limit: number
  readonly cursor?: string
  readonly includeChanges?: boolean
}

const paths = HttpApiClient.urlBuilder(NightlyApi)

const changelogQuery = ({ includeChanges, ...rest }: ChangelogQuery) =>
  includeChanges ? { ...rest, includeChanges: "true" as const } : rest

/**
 * A page of the changelog; the same page has the same request
 * text in every run. Spec: GET /v1/feeds/{gameId}/changelog.
 */
export const changelogCall = (
  gameId: string,
  query: ChangelogQuery,
  dialect: Dialect | null
): PageCall<CursorPagination> => ({
  operation: "changelog",
  game: gameId,
  request: `GET ${paths.feeds.changelog({ params: { gameId }, query: changelogQuery(query) })}`,
  send: (client) =>
    client.feeds.changelog({ params: { gameId }, query: changelogQuery(query), responseMode: "response-only" }),
  expects: query.limit,
  read: (json) => readCursorPage(query.limit)(rewordPage(json, "changelog", dialect))
})

/** A page of one of {@link offsetLists}, as large as the dialect says; the same page has the same request text in every run. */
export const offsetCall = (
  list: OffsetList,
  { gameId, offset }: { readonly gameId: string; readonly offset: number },
  dialect: Dialect | null
): PageCall<OffsetPagination> => ({
  operation: list,
  game: gameId,
  request: offsetLists[list].request(gameId, { offset, limit: dialect?.pages?.offset }),
  send: (client) => offsetLists[list].send(client, gameId, { offset, limit: dialect?.pages?.offset }),
  expects: offset,
  read: (json) => readOffsetPage(offset)(rewordPage(json, list, dialect))
})
