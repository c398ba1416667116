import type { ErrorCode, ErrorData } from "./wire.ts"

/** What this client says where the marketplace said nothing that it could read. */
export type ClientErrorCode = "NO_ANSWER" | "TIMEOUT" | "REDIRECTED" | "INVALID_ANSWER"

export interface Failure {
  /** Decide by this, not by the message; codes that are not listed here may come. */
  readonly code: ErrorCode | ClientErrorCode | (string & {})
  /** Of the answer; 0 if none came. */
  readonly status: number
  readonly message: string
  /** What the marketplace says beside the code: `{}` if nothing. */
  readonly data: Readonly<Record<string, unknown>>
  /** The marketplace's name of the request, for questions about it. */
  readonly requestId: string | null
  readonly method: string
  /** Address of the request, without what follows a `?`. */
  readonly path: string
}

/** A call that failed: refused by the marketplace, or without an answer that could be read. */
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

  /** Whether it has this code; `data` is then typed. */
  is<Code extends ErrorCode>(code: Code): this is ApiError & { readonly code: Code; readonly data: ErrorData[Code] } {
    return this.code === code
  }
}
