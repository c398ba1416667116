import { findKeyOwner } from "../accounts/keys.ts"
import type { LoggedRequest, RequestLog } from "../log/RequestLog.ts"
import { textOfMillis } from "../state/MarketClock.ts"
import type { Store } from "../state/Store.ts"
import type { ClientRequest } from "./requestRoutes.ts"

/** A request as it is shown, with the name of its account. */
export const clientRequest = (store: Store, request: LoggedRequest): ClientRequest => {
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

/** Refused, failed or cut; one that is still answered is not. */
const hasFailed = ({ millis, status }: LoggedRequest): boolean => millis !== null && (status === null || status >= 400)

interface Wanted {
  readonly before?: number | undefined
  readonly failed?: boolean
  readonly limit: number
}

/** The newest requests, newest first. */
export const clientRequests = (
  log: RequestLog["Service"],
  store: Store,
  { before = Infinity, failed = false, limit }: Wanted
): ReadonlyArray<ClientRequest> =>
  log
    .list()
    .filter((request) => request.number < before && (!failed || hasFailed(request)))
    .slice(0, limit)
    .map((request) => clientRequest(store, request))
