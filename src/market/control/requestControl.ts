import { Effect, Schema } from "effect"
import { HttpApiGroup } from "effect/http-api"
import { controlHandlers } from "../answers/controlHandlers.ts"
import { Count, Instant } from "../../feed/contract/Catalogue.ts"
import { missing } from "../answers/refusals.ts"
import { findKeyOwner } from "../accounts/accounts.ts"
import { route } from "../contract/operationRows.ts"
import { ShownBody, shownBody, type LoggedRequest, RequestLog } from "../log/RequestLog.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import { State, type Store } from "../state/State.ts"
import { TalliedRequests, type AccountBuckets } from "../limits/AccountBuckets.ts"

/** A client request. `key` is the last letters of its key; `account` is the key's owner, or null. */
const ClientRequest = Schema.Struct({
  number: Schema.Int,
  at: Instant,
  method: Schema.String,
  path: Schema.String,
  status: Schema.NullOr(Schema.Int),
  millis: Schema.NullOr(Schema.Finite),
  requestId: Schema.NullOr(Schema.String),
  account: Schema.NullOr(Schema.String),
  key: Schema.NullOr(Schema.String)
}).annotate({
  title: "ClientRequest",
  description:
    "`key` is the last letters of the key, `account` whose it is. `status` is null before the answer, and if the connection was cut."
})
export type ClientRequest = typeof ClientRequest.Type

const Body = Schema.NullOr(ShownBody)

const ClientRequestDetail = Schema.Struct({ ...ClientRequest.fields, body: Body, answer: Body }).annotate({
  title: "ClientRequestDetail",
  description: "`body` is null if there is none, or nobody read it."
})

const number = Schema.Int.check(Schema.isGreaterThanOrEqualTo(1))

/** Client requests, excluding control routes and pages. */
export const requestRoutes = HttpApiGroup.make("controlRequests").add(
  route(
    "GET",
    "requests",
    "/sandbox/requests",
    "The last 1,000 requests of clients, newest first; `failed`: those that were refused or cut",
    {
      query: {
        before: Schema.optionalKey(number.annotate({ description: "Only those with a smaller number." })),
        failed: Schema.optionalKey(Schema.Literals(["true", "false"])),
        limit: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })))
      },
      success: Schema.Struct({ data: Schema.Array(ClientRequest) })
    }
  ),
  route("GET", "request", "/sandbox/requests/:number", "A request with its body and its answer's; long ones are cut", {
    params: { number },
    success: ClientRequestDetail
  })
)

/** Returns a request for display, with its account's name. */
const clientRequest = (store: Store, request: LoggedRequest): ClientRequest => {
  const { atMillis, keyEnding, keyHash, method, millis, number, path, requestId, status } = request
  return {
    number,
    at: textOfMillis(atMillis),
    method,
    path,
    status,
    millis: millis === null ? null : Math.round(millis),
    requestId,
    account: keyHash === null ? null : (findKeyOwner(store, keyHash) ?? null),
    key: keyEnding
  }
}

/** True if the request was refused, failed or cut. A pending request has not failed. */
const hasFailed = ({ millis, status }: LoggedRequest): boolean => millis !== null && (status === null || status >= 400)

interface RequestFilter {
  readonly before?: number | undefined
  readonly failed?: boolean
  readonly limit: number
}

/** Returns the latest requests, newest first. */
export const clientRequests = (
  log: RequestLog["Service"],
  store: Store,
  { before = Infinity, failed = false, limit }: RequestFilter
): ReadonlyArray<ClientRequest> =>
  log
    .list()
    .filter((request) => request.number < before && (!failed || hasFailed(request)))
    .slice(0, limit)
    .map((request) => clientRequest(store, request))

const shownByDefault = 100

/** Returns a request with both bodies. Fails with NOT_FOUND if it was evicted or never existed. */
export const requestDetail = Effect.fnUntraced(function* (number: number) {
  const { store } = yield* State
  const request = (yield* RequestLog).find(number)
  if (request === undefined) return yield* missing(`No request has the number ${number}; the last 1,000 are kept`)
  const { answer, body } = request
  return {
    ...clientRequest(store, request),
    body: body === null ? null : shownBody(body),
    answer: answer === null ? null : shownBody(answer)
  }
})

export const requestControl = controlHandlers(requestRoutes, (handlers) =>
  handlers
    .handle("requests", ({ query: { before, failed, limit = shownByDefault } }) =>
      Effect.gen(function* () {
        const { store } = yield* State
        return { data: clientRequests(yield* RequestLog, store, { before, failed: failed === "true", limit }) }
      })
    )
    .handle("request", ({ params: { number } }) => requestDetail(number))
)

/** Rate-limit usage of the accounts. */
export const limitRoutes = HttpApiGroup.make("controlLimits").add(
  route(
    "GET",
    "limits",
    "/sandbox/limits",
    "How many requests came from each account, how many were refused, and the most in 60 seconds",
    {
      success: Schema.Struct({
        perMinute: Count,
        accounts: Schema.Array(Schema.Struct({ accountId: Schema.String, ...TalliedRequests.fields }))
      })
    }
  )
)

export const limitControl = (buckets: AccountBuckets) =>
  controlHandlers(limitRoutes, (handlers) =>
    handlers.handle("limits", () => Effect.sync(() => ({ perMinute: buckets.limit, accounts: buckets.tallied() })))
  )
