import { Context } from "effect"
import type { LoggedBody } from "./LoggedBody.ts"

/** A request of a client. */
export interface LoggedRequest {
  /** Counts up from 1. */
  readonly number: number
  /** The marketplace's time, in milliseconds. */
  readonly atMillis: number
  readonly method: string
  /** With its query, in which no signature and no key is. */
  readonly path: string
  /** SHA-256 of its key, to look up whose it is; null: it came without one. */
  readonly keyHash: string | null
  /** The last letters of a key. */
  readonly keyEnding: string | null
  /** `X-Request-Id` of its answer. */
  readonly requestId: string | null
  /** Null: there is no answer yet, or the connection was cut. */
  readonly status: number | null
  /** How long the answer took; null: there is none yet. */
  readonly millis: number | null
  /** What was read of its body; null: nothing. */
  readonly body: LoggedBody | null
  readonly answer: LoggedBody | null
}

/** The newest requests of clients, in memory. Those of the control routes and of the sandbox's pages are not among them. */
export class RequestLog extends Context.Service<
  RequestLog,
  {
    readonly begin: (request: Pick<LoggedRequest, "method" | "path" | "keyHash" | "keyEnding">) => number
    /** What is known later; of a request that was dropped meanwhile, nothing is kept. */
    readonly note: (number: number, known: Partial<Omit<LoggedRequest, "number">>) => void
    /** Newest first. */
    readonly list: () => ReadonlyArray<LoggedRequest>
    readonly find: (number: number) => LoggedRequest | undefined
  }
>()("cardlake/sandbox/RequestLog") {}

interface LogSize {
  readonly maxRequests?: number
  /** Of all bodies together. */
  readonly maxBytes?: number
}

const bytesOf = ({ answer, body }: LoggedRequest): number =>
  (answer?.bytes.byteLength ?? 0) + (body?.bytes.byteLength ?? 0)

/** Beyond its size it drops the oldest. */
export const makeRequestLog = (
  now: () => number,
  { maxBytes = 8 * 1024 * 1024, maxRequests = 1000 }: LogSize = {}
): RequestLog["Service"] => {
  const kept = new Map<number, LoggedRequest>()
  let last = 0
  let bytes = 0
  const trim = () => {
    for (const [number, oldest] of kept) {
      if (kept.size <= maxRequests && bytes <= maxBytes) return
      kept.delete(number)
      bytes -= bytesOf(oldest)
    }
  }
  return {
    begin: (request) => {
      const number = ++last
      const unknown = { requestId: null, status: null, millis: null, body: null, answer: null }
      kept.set(number, { ...request, ...unknown, number, atMillis: now() })
      trim()
      return number
    },
    note: (number, known) => {
      const before = kept.get(number)
      if (before === undefined) return
      const after = { ...before, ...known }
      kept.set(number, after)
      bytes += bytesOf(after) - bytesOf(before)
      trim()
    },
    list: () => [...kept.values()].toReversed(),
    find: (number) => kept.get(number)
  }
}
