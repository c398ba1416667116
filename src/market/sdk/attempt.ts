import { ApiError, type Failure } from "./ApiError.ts"
import type { Fetch, Policy } from "./ClientOptions.ts"
import { throwIfAborted, type Failed, type Outcome } from "./withRetries.ts"

/** A request as it goes out. */
export interface Outgoing {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData | undefined
  /** Where other hosts may be asked, as for a file; otherwise a redirect is an error. */
  readonly mayRedirect?: boolean
  /** Takes the key out of what is told of it. */
  readonly scrub: (text: string) => string
}

const shownPath = (address: string): string => new URL(address).pathname

const passingStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** What an answer asks to wait: `Retry-After` in seconds or as a date. */
const askedMillis = (headers: Headers): number | null => {
  const after = headers.get("retry-after")
  if (after === null) return null
  const millis = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number(after) * 1000
  return millis >= 0 ? Math.max(millis, 250) : null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** An answer's JSON with each text scrubbed; undefined: it is none, such as a proxy's page. */
const parsed = (text: string, scrub: (text: string) => string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? scrub(value) : value))
  } catch {
    return undefined
  }
}

/** What it is that failed, as far as the answer says. */
const failureOf = (body: unknown, { headers, status }: Response, { address, method, scrub }: Outgoing): Failure => {
  const id = headers.get("x-request-id")
  const where = { status, requestId: id === null ? null : scrub(id), method, path: shownPath(address) }
  if (isObject(body) && typeof body["code"] === "string") {
    const { code, data, message } = body
    return { ...where, code, message: String(message ?? ""), data: isObject(data) ? data : {} }
  }
  const message = `the answer with status ${status} is none of the marketplace's`
  return { ...where, code: "INVALID_ANSWER", message, data: {} }
}

/** A code that says more than its status: the live service answers an unknown id with 500. */
const isPermanent = (code: string): boolean => code.endsWith("NOT_FOUND") || code === "FEED_NOT_GENERATED"

const refused = (failure: Failure, { headers }: Response): Failed => ({
  error: new ApiError(failure),
  isPassing: passingStatus(failure.status) && !isPermanent(failure.code),
  waitMillis: askedMillis(headers)
})

/** A 2xx that is not the JSON which it should be: cut off, or from something in between. */
export const unreadable = (response: Response, outgoing: Outgoing): Failed => ({
  error: new ApiError(failureOf(undefined, response, outgoing)),
  isPassing: true,
  waitMillis: null
})

const lost = (outgoing: Outgoing, policy: Policy, cause: unknown): Failed => {
  const isLate = cause instanceof Error && cause.name === "TimeoutError"
  const where = { status: 0, requestId: null, method: outgoing.method, path: shownPath(outgoing.address), data: {} }
  const failure: Failure = isLate
    ? { ...where, code: "TIMEOUT", message: `no answer within ${policy.timeoutMillis} ms` }
    : { ...where, code: "NO_ANSWER", message: "no answer came" }
  return { error: new ApiError(failure, cause), isPassing: true, waitMillis: null }
}

const redirected = (response: Response, outgoing: Outgoing): Failed => {
  const message = "the marketplace redirects, which could lead the key elsewhere. Check `url`"
  const failure = { ...failureOf(undefined, response, outgoing), code: "REDIRECTED", message }
  return { error: new ApiError(failure), isPassing: false, waitMillis: null }
}

/** What an attempt is made with. */
export interface Means<A> {
  readonly fetch: Fetch
  /** Makes of a 2xx what is wanted. */
  readonly read: (response: Response) => Promise<Outcome<A>>
}

/** Sends a request once; the time limit holds until its answer is read. */
export const attempt = async <A>(outgoing: Outgoing, policy: Policy, means: Means<A>): Promise<Outcome<A>> => {
  const { body, headers, mayRedirect = false, method } = outgoing
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(new DOMException("Too late", "TimeoutError")), policy.timeoutMillis)
  const given = policy.signal as AbortSignal | undefined
  const signal = given === undefined ? late.signal : AbortSignal.any([late.signal, given])
  const redirect = mayRedirect ? "follow" : "manual"
  const init = { method, headers, redirect, signal, ...(body === undefined ? {} : { body }) }
  try {
    const response = (await means.fetch(outgoing.address, init as never)) as Response
    if (response.ok) return await means.read(response)
    const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400)
    if (isRedirect) return redirected(response, outgoing)
    const said = parsed(await response.text(), outgoing.scrub)
    return refused(failureOf(said, response, outgoing), response)
  } catch (cause) {
    throwIfAborted(policy.signal)
    return lost(outgoing, policy, cause)
  } finally {
    clearTimeout(timer)
  }
}
