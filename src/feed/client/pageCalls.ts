import { Result, Schema, Effect } from "effect"
import { HttpApiClient } from "effect/http-api"
import { NightlyApi } from "../contract/NightlyApi.ts"
import type { Dialect } from "../contract/dialect/dialects.ts"
import { rewordPage } from "../contract/dialect/reworded.ts"
import type { Call } from "./attempt.ts"
import { type OpenedJson, readJson, type OpenFault } from "./OpenFault.ts"
import { type ApiClient, offsetLists, type OffsetList } from "./offsetLists.ts"
import { CursorPage, OffsetPage, type OffsetPagination as Pagination, pageLimits } from "../contract/Paging.ts"
import { parseBody, unpackBody, type Answer, type OpenedPage, type Page, type RawBody } from "./RawBody.ts"
import { scrubbedBody, type Secret } from "./scrub.ts"

/** Parses the JSON of a page. Rejects a page with more records than allowed before it reads any of them. */
export const withAtMost = (most: number, json: unknown): OpenedJson<unknown> =>
  typeof json === "object" && json !== null && "data" in json && Array.isArray(json.data) && json.data.length > most
    ? Result.fail(`${json.data.length} records where ${most} are allowed`)
    : Result.succeed(json)

/** Pagination of the two kinds of lists; null for the unpaginated list. */
export type OffsetPagination = typeof Pagination.Type
export interface CursorPagination {
  readonly nextCursor: string | null
}

export interface PageContent<Pagination> {
  readonly data: ReadonlyArray<unknown>
  readonly pagination: Pagination
}

const cursorPage = readJson(CursorPage(Schema.Unknown), "a page of a cursor list")
const offsetPage = readJson(OffsetPage(Schema.Unknown), "a page of an offset list")
const endsEmpty = Schema.is(Schema.Struct({ pagination: Schema.Struct({ nextCursor: Schema.Literal("") }) }))

/** Parses a page of a cursor list with at most this many records. An empty cursor ends the list, as null does. */
export const readCursorPage =
  (most: number) =>
  (json: unknown): OpenedJson<PageContent<CursorPagination>> =>
    Result.flatMap(withAtMost(most, json), () =>
      cursorPage(endsEmpty(json) ? { ...json, pagination: { nextCursor: null } } : json)
    )
/** Parses the page of an offset list at this offset. */
export const readOffsetPage =
  (offset: number) =>
  (json: unknown): OpenedJson<PageContent<OffsetPagination>> =>
    Result.flatMap(Result.flatMap(withAtMost(pageLimits.offset.max, json), offsetPage), (page) =>
      page.pagination.offset === offset
        ? Result.succeed(page)
        : Result.fail(`it is the page at offset ${page.pagination.offset}`)
    )

/** A request for a page, with the name of the request in ledgers and the parser of its JSON. */
export interface PageCall<Pagination> extends Omit<Call<never>, "open" | "send"> {
  readonly operation: OffsetList | "changelog"
  readonly game: string
  readonly send: (client: ApiClient) => Call<never>["send"]
  /** The offset of the page, or the maximum number of its records. */
  readonly expects: number
  /** Parses the JSON envelope, or returns its fault. */
  readonly read: (json: unknown) => OpenedJson<PageContent<Pagination>>
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

/** The call for a changelog page, with the same request text in every run. Spec: GET …/changelog. */
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

/** Returns the call for a page of {@link offsetLists} in the dialect's size. Its request text never changes. */
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

/** Opens a page of a list: with all of its records, or with only the required parts. */
export type OpenPage<P, A extends OpenedPage<P>> = (
  answer: Answer,
  call: PageCall<P>,
  secret: Secret
) => Effect.Effect<A, OpenFault>

export const readText = <A>(text: string, read: (json: unknown) => OpenedJson<A>): OpenedJson<A> => {
  if (/^\uFEFF?\s*</.test(text)) return Result.fail({ _tag: "foreign", what: "it answers HTML", remedy: "address" })
  const json = parseBody(text)
  return Result.isFailure(json) ? Result.fail(json.failure) : read(json.success)
}

/** Returns the body of an answer without the key, and its parsed content. */
export const openBody = Effect.fnUntraced(function* <A>(
  { bytes, encoding, ...rest }: Answer,
  secret: Secret,
  read: (json: unknown) => OpenedJson<A>
): Effect.fn.Return<{ readonly body: RawBody; readonly value: A }, OpenFault> {
  const body = yield* scrubbedBody(secret, { ...rest, bytes, ...(yield* unpackBody(bytes, encoding)) })
  return { body, value: yield* Effect.fromResult(readText(body.text, read)) }
})

export const wholePage = <P>(answer: Answer, call: { readonly read: PageCall<P>["read"] }, secret: Secret) =>
  Effect.map(openBody(answer, secret, call.read), ({ body, value }): Page<P> => {
    return { ...body, ...value, sentBytes: answer.bytes.length, received: value.data.length }
  })
