import type { ErrorCode, ErrorData } from "./wire.ts"

/** Codes of this client for calls without a readable answer. */
export type ClientErrorCode = "NO_ANSWER" | "TIMEOUT" | "REDIRECTED" | "INVALID_ANSWER"

export interface Failure {
  /** The stable error code; do not parse the message. Unlisted codes are possible. */
  readonly code: ErrorCode | ClientErrorCode | (string & {})
  /** Status of the answer; 0 if there was none. */
  readonly status: number
  readonly message: string
  /** Further data of the error; `{}` if there is none. */
  readonly data: Readonly<Record<string, unknown>>
  /** The marketplace's id of the request, for support. */
  readonly requestId: string | null
  readonly method: string
  /** URL of the request without its query. */
  readonly path: string
}

/** A failed call: refused by the marketplace, or without a readable answer. */
export class ApiError extends Error implements Failure {
  override readonly name = "ApiError"
  readonly code: Failure["code"]
  readonly status: number
  readonly data: Readonly<Record<string, unknown>>
  readonly requestId: string | null
  readonly method: string
  readonly path: string

  constructor(failure: Failure, cause?: unknown) {
    const { code, data, message, method, path, requestId, status } = failure
    const where = [`${method} ${path}`, ...(requestId === null ? [] : [`request ${requestId}`])].join(", ")
    super(`${code}: ${message} (${where})`, cause === undefined ? {} : { cause })
    this.code = code
    this.status = status
    this.data = data
    this.requestId = requestId
    this.method = method
    this.path = path
  }

  /** True if the error has this code; `data` is then typed. */
  is<Code extends ErrorCode>(code: Code): this is ApiError & { readonly code: Code; readonly data: ErrorData[Code] } {
    return this.code === code
  }
}
