import { ApiError, type Failure } from "./ApiError.ts"
import type { Fetch, Policy } from "./ClientOptions.ts"
import { throwIfAborted, type Failed, type Outcome } from "./withRetries.ts"

export interface Outgoing {
  readonly method: string
  readonly address: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | FormData | undefined
  /** True if a redirect to another host is allowed, as for a file; otherwise it is an error. */
  readonly mayRedirect?: boolean
  /** Removes the key from a text. */
  readonly scrub: (text: string) => string
}

const shownPath = (address: string): string => new URL(address).pathname

const passingStatus = (status: number): boolean => status === 408 || status === 429 || status >= 500

/** Returns the wait in `Retry-After`, which is in seconds or a date. */
const parseRetryAfter = (headers: Headers): number | null => {
  const after = headers.get("retry-after")
  if (after === null) return null
  const millis = Number.isNaN(Number(after)) ? Date.parse(after) - Date.now() : Number(after) * 1000
  return millis >= 0 ? Math.max(millis, 250) : null
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Parses an answer's JSON and scrubs its texts; undefined if it is not JSON, such as a proxy's page. */
const parsed = (text: string, scrub: (text: string) => string): unknown => {
  try {
    return JSON.parse(text, (_, value: unknown) => (typeof value === "string" ? scrub(value) : value))
  } catch {
    return undefined
  }
}

/** Builds the error of a failed answer. */
const parseFailure = (body: unknown, { headers, status }: Response, { address, method, scrub }: Outgoing): Failure => {
  const id = headers.get("x-request-id")
  const where = { status, requestId: id === null ? null : scrub(id), method, path: shownPath(address) }
  if (isObject(body) && typeof body["code"] === "string") {
    const { code, data, message } = body
    return { ...where, code, message: String(message ?? ""), data: isObject(data) ? data : {} }
  }
  const message = `the answer with status ${status} is none of the marketplace's`
  return { ...where, code: "INVALID_ANSWER", message, data: {} }
}

/** True if a code overrides its status: the live service answers an unknown id with 500. */
const isPermanent = (code: string): boolean => code.endsWith("NOT_FOUND") || code === "FEED_NOT_GENERATED"

const refused = (failure: Failure, { headers }: Response): Failed => ({
  error: new ApiError(failure),
  isPassing: passingStatus(failure.status) && !isPermanent(failure.code),
  waitMillis: parseRetryAfter(headers)
})

/** A 2xx without the expected JSON: truncated, or sent by a proxy. */
export const unreadable = (response: Response, outgoing: Outgoing): Failed => ({
  error: new ApiError(parseFailure(undefined, response, outgoing)),
  isPassing: true,
  waitMillis: null
})

const failWithoutAnswer = (outgoing: Outgoing, policy: Policy, cause: unknown): Failed => {
  const isLate = cause instanceof Error && cause.name === "TimeoutError"
  const where = { status: 0, requestId: null, method: outgoing.method, path: shownPath(outgoing.address), data: {} }
  const failure: Failure = isLate
    ? { ...where, code: "TIMEOUT", message: `no answer within ${policy.timeoutMillis} ms` }
    : { ...where, code: "NO_ANSWER", message: "no answer came" }
  return { error: new ApiError(failure, cause), isPassing: true, waitMillis: null }
}

const redirected = (response: Response, outgoing: Outgoing): Failed => {
  const message = "the marketplace redirects, which could lead the key elsewhere. Check `url`"
  const failure = { ...parseFailure(undefined, response, outgoing), code: "REDIRECTED", message }
  return { error: new ApiError(failure), isPassing: false, waitMillis: null }
}

/** Dependencies of an attempt. */
export interface AttemptOptions<A> {
  readonly fetch: Fetch
  /** Converts a 2xx to the result. */
  readonly read: (response: Response) => Promise<Outcome<A>>
}

/** Sends a request once. The timeout includes reading the answer. */
export const attempt = async <A>(outgoing: Outgoing, policy: Policy, means: AttemptOptions<A>): Promise<Outcome<A>> => {
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
    const answerBody = parsed(await response.text(), outgoing.scrub)
    return refused(parseFailure(answerBody, response, outgoing), response)
  } catch (cause) {
    throwIfAborted(policy.signal)
    return failWithoutAnswer(outgoing, policy, cause)
  } finally {
    clearTimeout(timer)
  }
}
